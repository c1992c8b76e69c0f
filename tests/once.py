"""Rows that many tests begin with and that take long to make: made by the first, put back for the others."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db import connection, transaction

from tests.database import tables

Made = TypeVar("Made")
KEPT: dict[str, tuple[Any, dict[str, bytes]]] = {}


def once(name: str, make: Callable[[], Made]) -> Made:
    """What `make` gives, called in the first test alone; its rows are in the database of each.

    The database is empty of other rows before. What `make` gives holds keys, not rows: those are of the first
    test. Files that it stores have to outlive a test, as those of `live` do.
    """
    if name not in KEPT:
        KEPT[name] = make(), rows()
    else:
        put_back(KEPT[name][1])
    made: Made = KEPT[name][0]
    return made


def rows() -> dict[str, bytes]:
    """All that the tables hold, at one moment: a worker may go on with other things."""
    kept = {}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        for name in tables():
            if name.startswith('"jobs_'):
                continue  # whose turn it is, which a running worker writes at any moment
            with cursor.copy(f"COPY {name} TO STDOUT") as copy:
                if content := b"".join(bytes(part) for part in copy):
                    kept[name] = content
    return kept


def put_back(kept: dict[str, bytes]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # whatever the order of the tables
        for name, content in kept.items():
            with cursor.copy(f"COPY {name} FROM STDIN") as copy:
                copy.write(content)
