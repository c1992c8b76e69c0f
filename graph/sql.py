"""Plain SQL for the graph's folds."""

from typing import Any

from django.db import connection


def rows(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """The rows that a statement gives; none for one that gives none.

    Lists are sent without a type of their own: they have that of the column that they are compared with.
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [array(value) if isinstance(value, list) else value for value in values])
        return cursor.fetchall() if cursor.description else []


def array(values: list[Any]) -> str | list[Any]:
    """A list of numbers or of texts as Postgres writes it; the driver looks at each item for much longer."""
    kinds = set(map(type, values))
    if kinds <= {int, float}:
        return f"{{{','.join(map(str, values))}}}"
    if kinds == {str}:
        quoted = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
        return '{"' + '","'.join(quoted) + '"}'
    return values
