"""A real browser against real processes: Chromium, the web server and a worker on the test's database.

A test module says `pytest_plugins = ["tests.browser"]` and takes `live` and `page`: `live.login(page, alice)`
and `page.goto(live.base_url)`. PYTEST_DONT_REWRITE: it may import from here before pytest sees the plugin.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.test import Client, override_settings
from filelock import FileLock
from playwright.sync_api import Browser, Page, expect, sync_playwright

from accounts.models import User
from svq_site.host.web_server import BOUNDED
from tests import chromium
from tests.conftest import documents_kept_in, in_folder, store_documents
from tests.database import empty
from tests.processes import PATIENCE, end, free_port, url_of_test_database, wait_until, with_models

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-quic"),
]
BROWSERS: list[Browser] = []  # at most one
RUNNING: list["Live"] = []  # at most one: starting it takes longer than most tests
COLLECTED: list[Path] = []
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


class Live:
    """The web server and the worker as an operator runs them; each can be stopped and started again."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.folder = folder
        self.variables = variables
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "DATABASE_URL": url_of_test_database(),
            "SVQ_DATA_DIR": str(folder),
            "SVQ_SECRET_KEY": settings.SECRET_KEY,
            "SVQ_SITE_URL": self.base_url,
            **variables,
        }
        self.web: subprocess.Popen[bytes] | None = None
        self.worker: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start what does not run."""
        if self.worker is None or self.worker.poll() is not None:
            self.start_worker()
        if self.web is None or self.web.poll() is not None:
            self.start_web()

    def stop(self) -> None:
        self.stop_web()
        self.stop_worker()

    def start_web(self) -> None:
        """Returns when it answers."""
        self.web = self._start(
            "web",
            "-m",
            "uvicorn",
            "svq_site.asgi:application",
            "--port",
            str(self.port),
            "--log-level",
            "error",
            "--timeout-graceful-shutdown",
            "2",
            *BOUNDED,
        )

        def answers() -> bool:
            assert self.web
            assert self.web.poll() is None, self.log("web")
            try:
                return httpx.get(f"{self.base_url}/account/login/", timeout=5).status_code == 200
            except httpx.TransportError:
                return False

        wait_until(answers, "the start of the web server")

    def start_worker(self) -> None:
        """Returns at once: jobs wait until it is ready."""
        self.worker = self._start("worker", str(settings.BASE_DIR / "manage.py"), "worker")

    def stop_web(self) -> None:
        end(self.web)
        self.web = None

    def stop_worker(self) -> None:
        end(self.worker)
        self.worker = None

    def restart_web(self) -> None:
        self.stop_web()
        self.start_web()

    def log(self, name: str) -> str:
        """What the process wrote."""
        return (self.folder / f"{name}.log").read_text()

    def login(self, page: Page, user: User) -> None:
        """Sign the browser of that page in, without the form."""
        page.context.add_cookies([self.session_of(user)])  # type: ignore[list-item]

    def session_of(self, user: User) -> dict[str, str]:
        """The cookie of a new session."""
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        return {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": self.base_url}

    def _start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *arguments],
                env=self.environment,
                cwd=settings.BASE_DIR,
                stdout=log,
                stderr=subprocess.STDOUT,
            )


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium that is installed. A missing one fails: these tests are never skipped.

    For one module: while Playwright's loop runs in this thread, no other test may start one of its own.
    """
    if BROWSERS:  # a module that imports the fixture by name has a second one of it
        yield BROWSERS[0]
        return
    path = chromium.path()
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE * 1000)
        # Playwright's loop runs in this thread, where Django then refuses to use its database.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        BROWSERS.append(started)
        yield started
        BROWSERS.pop().close()
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with tab(browser) as opened:
        yield opened


@pytest.fixture(scope="module")
def kept_page(browser: Browser) -> Iterator[Page]:
    """One tab for all tests of a module: it has its files, which a fresh profile asks for again."""
    with tab(browser) as opened:
        yield opened


@contextmanager
def tab(browser: Browser) -> Iterator[Page]:
    """A tab of a fresh profile at a desktop's size; any script error or blocked resource fails the test."""
    context = browser.new_context(viewport=DESKTOP)  # type: ignore[arg-type]
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    problems: list[str] = []
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on(
        "console",
        lambda message: (
            problems.append(message.text)
            if message.type == "error" and "Content Security Policy" in message.text
            else None
        ),
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    yield page
    context.close()
    assert not problems, problems


@pytest.fixture(scope="session")
def static_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with the collected files, as in production."""
    if not COLLECTED:
        COLLECTED.append(with_models(tmp_path_factory.mktemp("live")))
        own = tmp_path_factory.getbasetemp()  # in a folder that all processes of this run share
        (COLLECTED[0] / "static").symlink_to(
            collected(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)
        )
    yield COLLECTED[0]
    stop_all()


def collected(folder: Path) -> Path:
    """The static files, collected by the first process that comes."""
    done = folder / "collected" / "done"
    with FileLock(folder / "collecting.lock"):
        if not done.exists():
            subprocess.run(
                [sys.executable, str(settings.BASE_DIR / "manage.py"), "collectstatic", "--noinput", "-v0"],
                env=os.environ | {"SVQ_DATA_DIR": str(done.parent), "DATABASE_URL": "postgresql:///unused"},
                check=True,
            )
            done.touch()
    return done.with_name("static")


def stop_all() -> None:
    """The processes end before a test begins that does not use them: their worker would take its jobs."""
    while RUNNING:
        RUNNING.pop().stop()


@pytest.fixture
def live_variables() -> dict[str, str]:
    """Environment of the processes; a module that needs other settings overrides this fixture."""
    return {}


@pytest.fixture
def live(transactional_db: None, static_files: Path, live_variables: dict[str, str], settings: Any) -> Live:
    """Both processes, running, on this test's database. They start once and serve all tests alike."""
    running = _running(static_files, live_variables)
    store_documents(settings, in_folder(running.folder / "documents"))
    settings.CACHE_DIR = running.folder / "cache"
    return running


@pytest.fixture(scope="module")
def kept_variables() -> dict[str, str]:
    """As `live_variables`, for `kept_live`."""
    return {}


@pytest.fixture(scope="module")
def kept_live(
    django_db_setup: None, django_db_blocker: Any, static_files: Path, kept_variables: dict[str, str]
) -> Iterator[Live]:
    """As `live`, for a module whose tests look at the same rows: what a fixture of the module has made stays
    until its last test. They are marked `django_db`: what a test itself writes is seen by no other process.
    """
    with django_db_blocker.unblock():
        running = _running(static_files, kept_variables)
        cached = override_settings(CACHE_DIR=running.folder / "cache")
        with cached, documents_kept_in(running.folder / "documents"):
            yield running
        empty()


def _running(folder: Path, variables: dict[str, str]) -> Live:
    if RUNNING and RUNNING[0].variables != variables:
        RUNNING.pop().stop()
    if not RUNNING:
        RUNNING.append(Live(folder, variables))
    RUNNING[0].start()
    return RUNNING[0]
