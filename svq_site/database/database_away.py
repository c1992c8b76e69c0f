"""What a command says when its database is away: it starts, recovers, or was stopped."""

import psycopg
from django.db import InterfaceError, OperationalError

DATABASE_AWAY = (OperationalError, InterfaceError, psycopg.OperationalError)


def told(error: Exception) -> str:
    """What happened, what is safe and what to do, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = lines[0] if lines else type(error).__name__
    reason = (reason.partition("FATAL:")[2] or reason.partition("failed: ")[2] or reason).strip().rstrip(".")
    return (
        f"The database cannot be used just now: {reason}. What was stored before is safe. "
        "Run the command again in a few seconds; if this goes on, look at the log of Postgres."
    )
