"""Waiting for another server without one of the few connections to the database."""

from django.db import connection


def let_go() -> None:
    """Give this thread's connection back; what comes after opens another. Within a transaction it stays."""
    if not connection.in_atomic_block:
        connection.close()
