"""The people, files and servers that tests share: alice owns, bob is a member, charlie is a stranger."""

import ipaddress
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import storages
from django.db import connection

from accounts.models import User
from datasources.models import Datasource, Document, Membership, Role
from datasources.services import create_datasource

PASSWORD = "correct horse battery"


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


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Cut off what threads and child processes still hold, so that the test database can be dropped."""
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def store_documents(settings: Any, storage: dict[str, Any]) -> None:
    """Keep documents in that storage: the field looks it up once, when the models are loaded."""
    settings.STORAGES = {**settings.STORAGES, "documents": storage}
    Document._meta.get_field("file").storage = storages["documents"]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Any, settings: Any) -> None:
    """Files and caches of one test never reach another; pages need no collected static files."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise warns without it
    backend = "django.core.files.storage.FileSystemStorage"
    store_documents(settings, {"BACKEND": backend, "OPTIONS": {"location": tmp_path / "documents"}})
    settings.CACHE_DIR = tmp_path / "cache"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def person(name: str) -> User:
    return User.objects.create_user(f"{name}@example.org", PASSWORD, name=name.capitalize())


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


def run_jobs() -> None:
    """Do all queued work in this process, as a worker would, until the queue is empty."""
    from procrastinate.contrib.django import app

    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(wait=False, install_signal_handlers=False, listen_notify=False)


@pytest.fixture
def work() -> Any:
    """Call it to do all queued work; needs a transactional test (`transactional_db`)."""
    return run_jobs


assert settings.DATABASES  # settings were read after tests.session
