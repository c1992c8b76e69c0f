"""The people, files and servers that tests share: alice owns, bob is a member, charlie is a stranger."""

import gc
import ipaddress
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings as configured
from django.core.files.storage import storages
from django.db import connection, connections
from django.test import TransactionTestCase, override_settings
from hypothesis import HealthCheck
from hypothesis import settings as examples
from pytest_django.plugin import blocking_manager_key

from accounts.models import User
from datasources.models import Datasource, Document, Membership, Role
from datasources.services import create_datasource
from svq_site.database.database import is_embedded, start_embedded
from svq_site.settings import database
from tests.database import be_quick, empty, migrated
from tests.desks import needs
from tests.people import person
from tests.remembered import remember

# How long an example takes says how busy the machine is, not whether the code is right.
examples.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
examples.load_profile("any machine")


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Refuse every connection that would leave this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host = str(address[0])
            if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
                raise AssertionError(f"a test tried to reach {host}")
        connect(self, address)

    socket.socket.connect = guarded  # type: ignore[method-assign,assignment]
    yield
    socket.socket.connect = connect  # type: ignore[method-assign]


@pytest.fixture(autouse=True, scope="session")
def _quick_passwords() -> Iterator[None]:
    """For the people that a module shares as well: a password as in production takes a third of a second."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_collected_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Pages need none."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    folder = tmp_path_factory.mktemp("static")  # WhiteNoise warns without it
    with override_settings(STORAGES=configured.STORAGES | {"staticfiles": plain}, STATIC_ROOT=folder):
        yield


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Desks that are left out have no tests."""
    return (configured.LEFT_OUT and needs(collection_path, configured.LEFT_OUT)) or None


LAST = pytest.StashKey[pytest.Item]()  # the test before
SLOWEST_FIRST = ("browser", "fuzz", "integration", "unit")
SET_UP = ("live_variables", "kept_variables")  # fixtures of `tests.browser` that a file may override


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A unit test that asks for the database belongs in integration/.

    Quick tests come last, so that no process is left alone with a slow file in the end. Files with a web
    server come together, so that it starts once; first those that want it set up in their own way, so that
    none of them comes between two that don't.
    """
    for item in items:
        if "unit" in item.path.parts and _used_database(item):
            raise pytest.UsageError(f"{item.nodeid} is a unit test and asks for the database")
    served = {item.path for item in items if "live" in getattr(item, "fixturenames", ())}
    set_up = {item.path for item in items if _sets_up_its_server(item)}

    def place(item: pytest.Item) -> tuple[int, bool, bool]:
        kinds = [n for n, kind in enumerate(SLOWEST_FIRST) if kind in item.path.parts]
        is_browser = not kinds or kinds[0] == 0
        kind = 0 if is_browser or item.path in served else kinds[0]
        return kind, item.path not in set_up, not is_browser

    items.sort(key=place)


gc.set_threshold(100_000, 50, 50)  # looking for garbage is half the time of collecting eight thousand tests


def pytest_collection_finish() -> None:
    """Garbage is looked for less often, and not among what stays: that takes a tenth of the time of a run."""
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Only tests that use them leave a web server and a worker running, from one file to the next."""
    is_live = "browser" in item.path.parts or "live" in getattr(item, "fixturenames", ())
    browser = sys.modules.get("tests.browser")
    was_live = bool(browser and browser.RUNNING and not is_live)
    if browser and was_live:
        browser.stop_all()
    last = item.config.stash.get(LAST, None)
    item.config.stash[LAST] = item
    # A worker or a thread may have written after the database was emptied for the end of its last test, and a
    # thread keeps what it writes where its test rolls all back: it has a connection of its own.
    if was_live or (last and last.path != item.path and _used_database(last) and not is_live):
        with item.config.stash[blocking_manager_key].unblock():
            empty()


def _used_database(item: pytest.Item) -> bool:
    asks = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    return bool(asks or item.get_closest_marker("django_db"))


def _sets_up_its_server(item: pytest.Item) -> bool:
    fixtures = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    return any(fixtures[name][-1].func.__module__ != "tests.browser" for name in SET_UP if name in fixtures)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, django_db_blocker: Any
) -> None:
    """Start the embedded Postgres with the first test that asks for the database: unit tests never do."""
    start_embedded()
    given = connections["default"].settings_dict
    given.update(database(os.environ["DATABASE_URL"]))
    if is_embedded():
        with django_db_blocker.unblock():
            be_quick()
            given["TEST"]["TEMPLATE"] = migrated()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Empty it in our own way after each transactional test; cut off its users before it is dropped."""
    case: Any = TransactionTestCase
    teardown = case._fixture_teardown
    case._fixture_teardown = lambda self: empty()
    yield
    case._fixture_teardown = teardown
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def in_folder(folder: Path) -> dict[str, Any]:
    """A storage for `store_documents`."""
    return {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": folder}}


def store_documents(settings: Any, storage: dict[str, Any]) -> None:
    """Keep documents in that storage: the field looks it up once, when the models are loaded."""
    settings.STORAGES = {**settings.STORAGES, "documents": storage}
    Document._meta.get_field("file").storage = storages["documents"]


@contextmanager
def documents_kept_in(folder: Path) -> Iterator[None]:
    """The same for what a module's tests share: it is made before the settings of a test are there."""
    with override_settings(STORAGES=configured.STORAGES | {"documents": in_folder(folder)}):
        Document._meta.get_field("file").storage = storages["documents"]
        yield


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Any, settings: Any) -> None:
    """Files and caches of one test never reach another."""
    store_documents(settings, in_folder(tmp_path / "documents"))
    settings.CACHE_DIR = tmp_path / "cache"


@pytest.fixture(autouse=True)
def _models_are_run_once() -> None:
    """A module is looked for again for each test, because loading it takes longer than most of them."""
    remember("providers.minilm.embedder", "MiniLM", "embed", "local_embedder")
    remember("providers.minilm.reader", "MiniLMReader", "scores", "local_reader")


@pytest.fixture(autouse=True)
def _no_server_rests() -> Iterator[None]:
    """A later server at the same port is asked at once, whatever this test's server wished."""
    yield
    if resting := sys.modules.get("providers.openai.resting"):  # loading it takes half a second
        resting._until.clear()


@pytest.fixture
def alice(db: None) -> User:
    return person("alice")


@pytest.fixture
def bob(db: None) -> User:
    return person("bob")


@pytest.fixture
def charlie(db: None) -> User:
    return person("charlie")


@pytest.fixture
def contracts(alice: User, bob: User) -> Datasource:
    """Alice's datasource, which bob may read."""
    datasource = create_datasource(alice, "Contracts")
    Membership.objects.create(datasource=datasource, user=bob, role=Role.VIEWER)
    return datasource


@pytest.fixture
def world(contracts: Datasource, alice: User, bob: User, charlie: User) -> SimpleNamespace:
    """See `tests.world`, which loads more than unit tests need."""
    from tests.world import make_world

    return make_world(contracts, alice, bob, charlie)


def run_jobs(*queues: str) -> None:
    """Do all queued work, or that of some queues, in this process, as a worker would, until none is left."""
    from procrastinate.contrib.django import app

    from tests.workers import worker_connector

    with app.replace_connector(worker_connector()):
        app.run_worker(queues=queues or None, wait=False, install_signal_handlers=False, listen_notify=False)


@pytest.fixture
def work() -> Any:
    """Call it to do all queued work; needs a transactional test (`transactional_db`)."""
    return run_jobs
