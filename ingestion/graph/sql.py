"""Plain SQL for the graph's folds."""

from typing import Any

from django.db import connection


def rows(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """The rows that a statement gives; none for one that gives none."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall() if cursor.description else []
