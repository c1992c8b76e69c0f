"""python -m tools.mutants APP: which changes to an app's code no unit test notices.

mutmut changes one thing at a time in a copy below var/mutants and runs the unit tests that reach it. What was
tried is kept there, until the code changes: a run that was stopped goes on.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "var" / "mutants"
BIN = Path(sys.executable).parent
READ_SOURCES = {"tests/sql/unit/test_statements.py"}  # they see all changes of the copy at once
SETTINGS = """[mutmut]
source_paths={folder}
only_mutate={only}
also_copy=
    {others}
timeout_multiplier=5
pytest_add_cli_args_test_selection=
    {tests}
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("app", type=Path, help="a folder or a file, such as citations")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 2)
    given = parser.parse_args()
    tests = tests_of(given.app)
    if not tests:
        sys.exit(f"No unit test imports from {dotted(given.app)}.")
    place = copied(given.app)
    (place / "setup.cfg").write_text(settings(given.app, place, tests))
    mutmut(place, "run", "--max-children", str(given.processes))
    mutmut(place, "export-cicd-stats")
    print(summary(json.loads((place / "mutants" / "mutmut-cicd-stats.json").read_text())))
    print(f"Which ones: cd {place}; {BIN}/mutmut results, and mutmut show NAME")


def tests_of(app: Path) -> list[str]:
    """The unit tests that import from it."""
    name = dotted(app)
    parent, _, last = name.rpartition(".")
    names = re.compile(
        rf"^\s*(from|import) {re.escape(name)}\b|^\s*from {re.escape(parent)} import .*\b{last}\b",
        re.MULTILINE,
    )
    found = {str(path.relative_to(ROOT)): path for path in ROOT.glob("tests/*/unit/test_*.py")}
    return sorted(test for test in found.keys() - READ_SOURCES if names.search(found[test].read_text()))


def dotted(app: Path) -> str:
    return ".".join(app.with_suffix("").parts)


def copied(app: Path) -> Path:
    """Where what git tracks, as it is saved now, is copied to."""
    place = COPY / "-".join(app.with_suffix("").parts)
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    for name in filter(None, names.stdout.split("\0")):
        source, target = ROOT / name, place / name
        if source.exists() and (not target.exists() or target.stat().st_mtime != source.stat().st_mtime):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return place


def settings(app: Path, place: Path, tests: list[str]) -> str:
    only = f"{app}" if app.suffix else f"{app}/*"
    others = sorted(path.name for path in place.iterdir() if path.name not in {app.parts[0], "mutants"})
    return SETTINGS.format(
        folder=app.parts[0], only=only, others="\n    ".join(others), tests="\n    ".join(tests)
    )


def mutmut(place: Path, *arguments: str) -> None:
    from tests.session import data_dir

    around = os.environ | {
        "SVQ_TEST_DATA_DIR": str(data_dir()),  # where the local models are already
        "PATH": f"{BIN}:{os.environ['PATH']}",
    }
    with (place / "mutmut.log").open("w") as log:  # its progress is for terminals
        output = None if sys.stdout.isatty() else log
        code = subprocess.run(["mutmut", *arguments], cwd=place, env=around, stdout=output).returncode
    if code:
        sys.exit(f"mutmut has failed: {place}/mutmut.log")


def summary(figures: dict[str, int]) -> str:
    tried = figures["killed"] + figures["survived"] + figures["timeout"] + figures["suspicious"]
    noticed = tried - figures["survived"]
    share = f"{noticed / tried:.0%}" if tried else "none"
    return (
        f"{noticed} of {tried} mutants noticed ({share}); {figures['no_tests']} in code no unit test reaches."
    )


if __name__ == "__main__":
    main()
