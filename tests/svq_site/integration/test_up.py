"""`manage.py up` as somebody at a terminal sees it: a real process with its children and its database."""

import http.client
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener, urlopen

import psutil
import pytest
from django.conf import settings
from django.urls import NoReverseMatch, reverse

from tests.processes import PATIENCE, free_port, lives, wait_until, with_models

TOKEN = "a token of Prometheus"


class Up:
    """One `manage.py up`; a terminal's process group of its own, so that Ctrl-C reaches all its members."""

    def __init__(self, data_dir: Path, port: int) -> None:
        self.data_dir = data_dir
        self.port = port
        self.lines: list[str] = []
        self.known: set[psutil.Process] = set()
        self.process = subprocess.Popen(
            [sys.executable, str(settings.BASE_DIR / "manage.py"), "up"],
            env=environment(data_dir, port),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def wait_for_line(self, part: str, seconds: float = PATIENCE) -> str:
        def said() -> str:
            return next((line for line in self.lines if part in line), "")

        return str(wait_until(said, f"“{part}”", seconds=seconds, state=lambda: self.text))

    def health(self) -> tuple[int, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            return 0, {}
        finally:
            connection.close()

    def child(self, *words: str) -> psutil.Process | None:
        """The living child whose command line has these words."""
        for child in psutil.Process(self.process.pid).children():
            if set(words) <= set(child.cmdline()):
                return child
        return None

    def processes(self) -> set[psutil.Process]:
        """All that belongs to this start: itself, its children, the database and whatever these started."""
        for process in psutil.process_iter():
            with suppress(psutil.NoSuchProcess):
                ours = str(self.data_dir / "postgres") in process.cmdline()
                if ours or process.pid == self.process.pid:
                    self.known |= {process, *process.children(recursive=True)}
        return {process for process in self.known if lives(process.pid)}

    def interrupt(self) -> int:
        """What the terminal does at Ctrl-C."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.kill()
        for process in self.processes():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        assert self.process.stdout
        self.process.stdout.close()


def environment(data_dir: Path, port: int) -> dict[str, str]:
    kept = {n: v for n, v in os.environ.items() if n != "DATABASE_URL" and not n.startswith("SVQ_")}
    return kept | {"SVQ_DATA_DIR": str(data_dir), "SVQ_PORT": str(port), "SVQ_METRICS_TOKEN": TOKEN}


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    """Where another user may look in, for root's Postgres runs as one: unlike pytest's own folders."""
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="up-", dir=settings.DATA_DIR))
    folder.chmod(0o755)
    yield with_models(folder)  # making the models anew has its own test
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


def start(data_dir: Path, port: int) -> Iterator[Up]:
    up = Up(data_dir, port)
    try:
        yield up
    finally:
        up.close()


@pytest.fixture(scope="module")
def first(data_dir: Path, port: int) -> Iterator[Up]:
    yield from start(data_dir, port)


@pytest.fixture(scope="module")
def second(data_dir: Path, port: int, first: Up) -> Iterator[Up]:
    """The start after `first` was stopped by its last test."""
    assert first.process.poll() is not None
    yield from start(data_dir, port)


def signed_in(port: int, email: str, password: str) -> tuple[OpenerDirector, str]:
    """A browser after the sign-in form, and the page it then sees."""
    cookies = CookieJar()
    browser = build_opener(HTTPCookieProcessor(cookies))
    url = f"http://127.0.0.1:{port}{reverse('account_login')}"
    page = browser.open(url, timeout=PATIENCE).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token
    form = {"login": email, "password": password, "csrfmiddlewaretoken": token[1]}
    return browser, browser.open(url, urlencode(form).encode(), timeout=PATIENCE).geturl()


# In this order: the tests of `first` are one life of a fresh installation, those of `second` the next.


def test_first_start_prepares_everything_and_survives_a_killed_worker(first: Up) -> None:
    first.wait_for_line("Starting the server", 4 * PATIENCE)  # all migrations come before
    worker = wait_until(lambda: first.child("worker", "--queue=ingest"), "a worker")
    first.wait_for_line("SVQ is ready")
    worker.kill()  # most likely while it reads a sample document
    first.wait_for_line("The worker for files was ended by SIGKILL")
    again = wait_until(lambda: first.child("worker", "--queue=ingest"), "a worker")
    assert again.pid != worker.pid
    first.wait_for_line("The sample datasource is ready")
    wait_until(lambda: first.health()[0] == 200, "health", state=first.health)
    assert first.health()[1] == dict.fromkeys(
        [
            "status",
            "web",
            "pages",
            "connections",
            "database",
            "model",
            "language_model",
            "worker",
            "upkeep",
            "disk",
        ],
        "ok",
    )


def test_first_account_is_in_a_file_and_signs_in(first: Up) -> None:
    """In a file, as nobody watches: what a service prints goes into a log."""
    file = first.data_dir / "first-password"
    assert str(file) in first.wait_for_line("its password")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    found = re.fullmatch(r"Sign in as (\S+) with the password (\S+)\n", file.read_text())
    assert found
    email, password = found.groups()
    assert password not in first.text
    assert email == "admin@localhost"
    try:
        reverse("home")
    except NoReverseMatch:
        pytest.skip("the pages are not here yet")
    browser, landed = signed_in(first.port, email, password)
    assert not landed.endswith(reverse("account_login"))
    home = f"http://127.0.0.1:{first.port}{reverse('home')}"

    def shown() -> bool:
        page: str = browser.open(home, timeout=PATIENCE).read().decode()
        return "What happens if Waypoint goes live late?" in page and 'class="now"' in page

    wait_until(shown, "the answer to the first question")


def test_the_web_server_tells_what_all_processes_have_counted(first: Up) -> None:
    asked = Request(f"http://127.0.0.1:{first.port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    with urlopen(asked, timeout=PATIENCE) as response:
        figures = response.read().decode()
    for counted in (
        r'svq_answers_total\{status="quotes"\} 1\.0',  # by a worker for answers: the first question
        r'svq_stage_seconds_count\{stage="embed",work="reading"\} [1-9]',  # by the worker for files
        r'svq_requests_total\{.*view="account_login"\} [1-9]',  # by the web server
        r"svq_workers [3-9]\.0",
    ):
        assert re.search(counted, figures), counted


def test_a_taken_port_is_told_in_one_line(first: Up) -> None:
    refused = subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "up"],
        env=environment(first.data_dir, first.port),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert refused.returncode != 0
    (line,) = refused.stderr.splitlines()
    assert f"Port {first.port}" in line
    assert "SVQ_PORT" in line


def test_ctrl_c_leaves_nothing_running(first: Up) -> None:
    belonging = first.processes()
    assert {"postgres"} <= {process.name() for process in belonging}
    said = len(first.lines)
    assert first.interrupt() == 0
    wait_until(lambda: first.processes() == set(), "the end of what it started")
    first.reader.join(PATIENCE)
    *before, last = first.lines[said:]
    assert last == "SVQ has stopped."
    assert all("did not stop within" in line and "Others take it over" in line for line in before), before


def test_second_start_keeps_the_data(second: Up) -> None:
    second.wait_for_line("SVQ is ready")
    assert "with the password" not in second.text
    assert "first-password" in second.text  # until somebody has deleted it
    listed = subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "shell", "-v0", "-c", LIST],
        env=environment(second.data_dir, second.port),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert listed.stdout.splitlines() == ["admin@localhost", "5 ready"]


LIST = """
from accounts.models import User
from datasources.models import Document
print(*(user.email for user in User.objects.all()))
print(Document.objects.ready().count(), "ready")
"""


def test_a_killed_database_comes_back(second: Up) -> None:
    def server() -> psutil.Process | None:
        found = [p for p in second.processes() if str(second.data_dir / "postgres") in p.cmdline()]
        return found[0] if found else None

    wait_until(lambda: second.health()[0] == 200, "health", state=second.health)
    killed = server()
    assert killed
    killed.kill()
    second.wait_for_line("The embedded database has gone")
    wait_until(lambda: second.health()[0] == 200, "health", state=second.health)
    again = server()
    assert again
    assert again.pid != killed.pid


def test_kill_9_takes_the_children_and_the_database_along(second: Up) -> None:
    assert len(second.processes()) > 4
    second.process.kill()
    second.process.wait()
    wait_until(lambda: not second.processes(), "the end of all", state=second.processes)
