"""What a command says when its database is away (starts, recovers, was stopped) or has not been migrated."""

import psycopg
from django.db import InterfaceError, OperationalError, ProgrammingError

DATABASE_AWAY = (OperationalError, InterfaceError, psycopg.OperationalError)
NOT_MIGRATED = (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn)


def in_one_line(error: Exception) -> str:
    """What happened, what is safe and what to do, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = lines[0] if lines else type(error).__name__
    reason = (reason.partition("FATAL:")[2] or reason.partition("failed: ")[2] or reason).strip().rstrip(".")
    return (
        f"The database cannot be used just now: {reason}. What was stored before is safe. "
        "Run the command again in a few seconds; if this goes on, look at the log of Postgres."
    )


def is_not_migrated(error: ProgrammingError) -> bool:
    """Whether tables or columns are missing: the database is new, or of an earlier version."""
    return isinstance(error.__cause__, NOT_MIGRATED)


TO_BE_MIGRATED = (
    "The database has not been prepared for this version of SVQ. Nothing in it was changed. "
    "Run `manage.py migrate`, or start SVQ once, which does it; then run the command again."
)
