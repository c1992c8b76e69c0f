"""How SVQ's own log is written: without the values that Postgres repeats in its errors, and without tokens.

“duplicate key value violates unique constraint” stays, “Key (name)=(…) already exists” and “Failing row
contains …” go, because a log outlives the deletion of what it says.
"""

import logging
import re
from collections.abc import Iterator
from typing import Any

import psycopg

# Classes of SQLSTATE whose first line repeats a value or part of the statement: 22 invalid data, 42 syntax.
REPEATING = ("22", "42")
# The address of a share link or an invitation opens it: whoever reads the log must not.
_OPENING = re.compile(r"(/(?:s|invitation)/)[A-Za-z0-9_-]{16,}", re.IGNORECASE)


class RefusalsInOneLine(logging.Filter):
    """Whoever is refused leaves no traceback: 45 lines of Django's own code, for anybody who asks."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


class LineFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return cleaned(super().format(record), record)


def cleaned(text: str, record: logging.LogRecord) -> str:
    """What is written of a record, without values and tokens."""
    for error in _database_errors(record):
        text = text.replace(str(error), without_values(error))
    return _OPENING.sub(r"\1…", text)


def without_values(error: psycopg.Error) -> str:
    """What an error of Postgres says without what is stored."""
    if (error.sqlstate or "").startswith(REPEATING):
        return f"{type(error).__name__} ({error.sqlstate}); its words are left out, as they repeat values"
    return str(error).partition("\n")[0]


def _database_errors(record: logging.LogRecord) -> Iterator[psycopg.Error]:
    """Those that it names, with what they came from: Django's errors come from psycopg's."""
    named: list[Any] = list(record.args) if isinstance(record.args, tuple) else []
    waiting = [*named, *([record.exc_info[1]] if record.exc_info else [])]
    seen: set[int] = set()
    while waiting:
        error = waiting.pop()
        if isinstance(error, BaseException) and id(error) not in seen:
            seen.add(id(error))
            waiting += [error.__cause__, error.__context__]
            if isinstance(error, psycopg.Error) and str(error):
                yield error
