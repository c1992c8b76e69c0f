# Everything one does with a checkout of SVQ. `make run` is all that is needed to use it.

VENV ?= .venv
BIN := $(VENV)/bin
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$p && break; done)
# Not compiled: half of the modules are never imported, and the first start compiles those that are.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes

LLAMA := $(PIP) --only-binary :all: -r requirements-llama.txt

.PHONY: run dev setup llama otel test pytest unit lint messages bench walk mutants fuzz faults lock

run: setup
	@echo "Starting the database ..."
	@$(BIN)/python manage.py up

setup: $(VENV)/.installed

$(VENV)/.installed: requirements.txt requirements-llama.txt
	@test -n "$(PYTHON)" || { echo "SVQ needs Python 3.11 or newer and finds none: install it, or name it with make PYTHON=/path/to/python3 run"; exit 1; }
	@$(PYTHON) -c '$(NEW_ENOUGH)' || { echo "$(PYTHON) is older than Python 3.11, which SVQ needs: install a newer one, or name it with make PYTHON=/path/to/python3 run"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python can't make a virtual environment here: on Debian and Ubuntu, apt-get install python3-venv"; exit 1; }
	@echo "Installing the locked requirements into $(VENV), once ..."
	@$(PIP) -r requirements.txt
	@$(LLAMA) || echo "llama.cpp can't be installed here: SVQ runs without it, and a model can be connected instead of installed"
	@touch $@

# Says why, where it could not be installed.
llama:
	$(LLAMA)

# Traces for OpenTelemetry: docs/reference/traces.md
otel: $(VENV)/.installed
	$(PIP) -r requirements-otel.txt

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	@echo "Installing the development requirements into $(VENV), once ..."
	@$(PIP) -r requirements-dev.txt
	@touch $@

# As `make run`, and shows what is saved within about two seconds. Not for people: its error pages tell all.
dev: $(VENV)/.installed-dev
	@$(BIN)/python -m tools.dev

# Two more than processors, four to six: tests wait a lot, for browsers and for other processes. Each takes about a gigabyte.
WORKERS ?= $(shell n=$$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 2)); [ $$n -gt 6 ] && n=6; [ $$n -lt 4 ] && n=4; echo $$n)

# `make -j2 test` does both at once.
test: lint pytest

# In a fresh clone, one process compiles the tests before the workers come: each would do it for itself.
pytest: $(VENV)/.installed-dev
	@test -d tests/__pycache__ || $(BIN)/python -m pytest -q --collect-only > /dev/null || true
	@$(BIN)/python -m tests.chromium
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

# Seconds, without database or browser: for every save. More of pytest's options: make unit ARGS="-k citation"
unit: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -q -n auto --dist loadfile tests/*/unit $(ARGS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/djlint templates --lint --quiet
	$(BIN)/python -m tools.styles --check
	$(BIN)/djade --check --target-version 5.2 $$(find templates -name '*.html')

# After text was marked for translation, or translated. A new language: make messages ARGS=de
messages: $(VENV)/.installed-dev
	$(BIN)/python -m tools.messages $(ARGS)

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks

# A fresh SVQ, walked through as by somebody new: pictures of the first minutes and five tasks, into var/walk. With a
# file of one's own: make walk ARGS="--file FILE --question QUESTION"
walk: $(VENV)/.installed-dev
	$(BIN)/python -m tools.walk $(CURDIR)/var/walk $(ARGS)

$(VENV)/.installed-mutants: requirements-mutants.txt $(VENV)/.installed-dev
	@$(PIP) -r requirements-mutants.txt
	@touch $@

# Which changes to an app's code no unit test notices: make mutants APP=citations, or a single file
mutants: $(VENV)/.installed-mutants
	@test -n "$(APP)" || { echo "Which code? make mutants APP=citations"; exit 1; }
	$(BIN)/python -m tools.mutants $(APP) $(ARGS)

# Twenty times the requests of the tests, and others each time: no error of the server, no hang. And pages with more rows,
# and all that opens over a page in both widths.
fuzz: $(VENV)/.installed-dev
	SVQ_FUZZ=$${SVQ_FUZZ:-20} $(BIN)/python -m pytest -q --timeout=3600 tests/fuzz tests/svq_site/integration/test_growth.py \
		tests/svq_site/browser/test_popovers.py

# Faults in the middle of all kinds of work: kill -9, a crash of Postgres, a full disk, a wrong clock. About twenty
# minutes. SVQ_FAULTS=N: so many at random in each kind of work; SVQ_FAULTS_SEED=S: the same ones again.
# In a data folder of its own, because the database server crashes.
faults: $(VENV)/.installed-dev
	SVQ_FAULTS=$${SVQ_FAULTS:-4} SVQ_TEST_DATA_DIR=$${SVQ_TEST_DATA_DIR:-$(CURDIR)/var/faults} \
		$(BIN)/python -m pytest -q --timeout=600 tests/faults \
		tests/ingestion/integration/test_deletions.py tests/ingestion/integration/test_reembedding.py

# Needs uv. First the larger set, then the smaller one out of the same versions.
LOCK := CUSTOM_COMPILE_COMMAND= uv pip compile --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock"
lock:
	$(LOCK) pyproject.toml --group dev -o requirements-dev.txt
	$(LOCK) pyproject.toml -c requirements-dev.txt -o requirements.txt
	$(LOCK) --group llama -o requirements-llama.txt
	$(LOCK) --group otel -c requirements-dev.txt -o requirements-otel.txt
	$(LOCK) --group mutants -c requirements-dev.txt -o requirements-mutants.txt
