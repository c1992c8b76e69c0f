"""A limit to how long statements may take."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.db.utils import OperationalError
from psycopg.errors import QueryCanceled

from sql import rows


class TooSlow(Exception):
    """A statement took longer than it may, so the database has stopped it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Each statement may take so long. A transaction, or a part of one. Raises TooSlow."""
    try:
        with transaction.atomic():
            ((before,),) = rows("SELECT current_setting('statement_timeout')")
            _set(f"{round(1000 * seconds)}ms")
            yield
            _set(before)  # the caller's transaction may go on
    except OperationalError as error:
        if isinstance(error.__cause__, QueryCanceled):
            raise TooSlow from error
        raise


def _set(value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [value])
