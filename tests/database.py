"""The tests' database: quick, because nobody would miss it, and empty again after each transactional test."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from django.apps import apps
from django.core.management import call_command
from django.db import connection, transaction
from filelock import FileLock
from psycopg.errors import DeadlockDetected
from tenacity import retry, retry_if_exception, stop_after_attempt

from svq_site.database.database import embedded_dir

KEPT = {"django_content_type", "auth_permission"}  # what migrations put there
MIGRATING = "migrated_by_and_by"
LARGE = 2**20  # bytes of a table in which deleted rows would slow down the tests that follow


def be_quick() -> None:
    """Don't wait for the disk: if the machine crashes, the tests' data may go. Only for our own server.

    Autovacuum would come for what the next test empties.
    """
    with connection._nodb_cursor() as cursor:
        for setting in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum"):
            cursor.execute(f"ALTER SYSTEM SET {setting} = off")
        cursor.execute("SELECT pg_reload_conf()")


def migrated() -> str:
    """The name of a database of which those of the tests are copies, for all migrations take long.

    The first process that comes makes it, anew where a migration has changed. It begins without the
    extension, as a database on a server of somebody else may.
    """
    folders = [Path(app.path) for app in apps.get_app_configs()]
    files = [path for f in folders for path in sorted([*f.glob("migrations/*.py"), *f.glob("sql/*.sql")])]
    content = b"".join(path.read_bytes() for path in files)
    name = f"migrated_{sha256(content).hexdigest()[:16]}"
    with FileLock(embedded_dir().with_name("migrated.lock")), connection._nodb_cursor() as cursor:
        cursor.execute(r"SELECT datname FROM pg_database WHERE datname LIKE 'migrated\_%'")
        there = {database for (database,) in cursor.fetchall()}
        if name not in there:
            for database in there:
                cursor.execute(f"DROP DATABASE {database}")
            cursor.execute(f"CREATE DATABASE {MIGRATING} TEMPLATE template0")
            migrate(MIGRATING)
            cursor.execute(f"ALTER DATABASE {MIGRATING} RENAME TO {name}")
    return name


def migrate(name: str) -> None:
    """Make all tables in that database."""
    with connected_to(name):
        call_command("migrate", verbosity=0)


@contextmanager
def connected_to(name: str, **role: str) -> Iterator[None]:
    """Django's connections are to another database of the same server; role: USER and PASSWORD, if another.

    Those that the pools' threads keep are ended, so that they begin a new one where they belong.
    """
    given = {key: connection.settings_dict[key] for key in ("NAME", *role)}
    connection.close()
    end_connections(given["NAME"])
    connection.settings_dict.update({"NAME": name, **role})
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(given)


def end_connections(name: str) -> None:
    """All of everybody to that database."""
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])


@contextmanager
def empty_database(owner: str = "DEFAULT", template: str = "template0") -> Iterator[str]:
    """The name of a database of its own, as a server that is not ours may give us: not even the extension.

    template: another database, whose tables it has from the start.
    """
    name = f"empty_{uuid4().hex}"
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} OWNER {owner} TEMPLATE {template}")
    try:
        yield name
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def is_deadlock(error: BaseException) -> bool:
    return isinstance(error.__cause__, DeadlockDetected)


@retry(retry=retry_if_exception(is_deadlock), stop=stop_after_attempt(10), reraise=True)
def empty() -> None:
    """Delete what a test has left, and the jobs that nobody does: the next worker would begin with them.

    Django's flush truncates a hundred tables, whatever a test wrote, and makes all permissions again. A web
    server and a worker that a test has left to itself still read and write: where their locks and ours cross,
    Postgres ends either, and this is tried again.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {', '.join(tables())} IN SHARE ROW EXCLUSIVE MODE")
        # As columns of one row: a union of as many takes Postgres four times as long.
        cursor.execute(f"SELECT {', '.join(f'EXISTS (SELECT FROM {name})' for name in tables())}")
        (found,) = cursor.fetchall()
        filled = [name for name, is_filled in zip(tables(), found, strict=True) if is_filled]
        cursor.execute(
            "SELECT bool_or(pg_relation_size(name) > %s) FROM unnest(%s::regclass[]) AS name", [LARGE, filled]
        )
        ((has_large,),) = cursor.fetchall()
        cursor.execute("SET LOCAL session_replication_role = replica")  # no trigger, no check of keys
        if has_large:
            cursor.execute(f"TRUNCATE {', '.join(tables())}")
        else:
            for name in filled:
                cursor.execute(f"DELETE FROM {name}")
    with connection.cursor() as cursor:  # apart: who ends a job holds its row and waits for our locks
        cursor.execute("DELETE FROM procrastinate_jobs WHERE status <> 'doing'")


@cache
def tables() -> list[str]:
    """Quoted, in one order for all, so that two who lock them don't wait for each other."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return [connection.ops.quote_name(name) for name in sorted(set(names) - KEPT)]
