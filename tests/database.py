"""The tests' database: quick, because nobody would miss it, and empty again after each transactional test."""

from functools import cache

from django.db import connection, transaction
from psycopg.errors import DeadlockDetected
from tenacity import retry, retry_if_exception, stop_after_attempt

from svq_site.host.database import is_embedded

KEPT = {"django_content_type", "auth_permission"}  # what migrations put there
LARGE = 2**20  # bytes of a table in which deleted rows would slow down the tests that follow


def be_quick() -> None:
    """Don't wait for the disk: if the machine crashes, the tests' data may go. Only in our own server."""
    if is_embedded():
        with connection.cursor() as cursor:
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                cursor.execute(f"ALTER SYSTEM SET {setting} = off")
            cursor.execute("SELECT pg_reload_conf()")


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
        checks = [
            f"SELECT '{name}', pg_relation_size('{name}') WHERE EXISTS (SELECT FROM {name})"
            for name in tables()
        ]
        cursor.execute(" UNION ALL ".join(checks))
        filled = cursor.fetchall()
        if any(size > LARGE for _name, size in filled):
            cursor.execute(f"TRUNCATE {', '.join(tables())}")
        else:
            cursor.execute("SET LOCAL session_replication_role = replica")  # no trigger, no check of keys
            for name, _size in filled:
                cursor.execute(f"DELETE FROM {name}")
    with connection.cursor() as cursor:  # apart: who ends a job holds its row and waits for our locks
        cursor.execute("DELETE FROM procrastinate_jobs WHERE status <> 'doing'")


@cache
def tables() -> list[str]:
    """Quoted, in one order for all, so that two who lock them don't wait for each other."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return [connection.ops.quote_name(name) for name in sorted(set(names) - KEPT)]
