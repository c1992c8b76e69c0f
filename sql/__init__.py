"""Plain SQL: statements by name out of .sql files, and the rows that they give."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import connection, transaction

_NAME = re.compile(r"^-- :name (\w+)\n", re.MULTILINE)
_INCLUDE = re.compile(r"^-- :include (\w+)$", re.MULTILINE)


class Statements:
    """The statements of a folder's .sql files, read once.

    Each follows a line `-- :name its_name`; a line `-- :include other_name` stands for another one's text.
    """

    def __init__(self, folder: Path) -> None:
        self._text: dict[str, str] = {}
        for file in sorted(folder.glob("*.sql")):
            _, *parts = _NAME.split(file.read_text(encoding="utf-8"))
            for name, text in zip(parts[::2], parts[1::2], strict=True):
                assert name not in self._text, f"two statements are named {name}"
                self._text[name] = text.strip()
        self._text = {name: self._with_included(text) for name, text in self._text.items()}

    def __getitem__(self, name: str) -> str:
        return self._text[name]

    def _with_included(self, text: str) -> str:
        return _INCLUDE.sub(lambda match: self._with_included(self._text[match[1]]), text)

    def rows(self, name: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """What the statement gives; its placeholders are `%(value)s`, and a percent sign is `%%`."""
        return _rows(self[name], {key: _parameter(value) for key, value in values.items()})

    def batches(self, name: str, size: int, /, **values: Any) -> Iterator[list[tuple[Any, ...]]]:
        """The same in lists of at most so many rows: for what may have more than memory should hold.

        In a transaction, outside of which PgBouncer gives no cursor back.
        """
        with transaction.atomic(), connection.chunked_cursor() as cursor:
            cursor.execute(self[name], {key: _parameter(value) for key, value in values.items()})
            while some := cursor.fetchmany(size):
                yield some


def rows(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """The rows that a statement of one line gives; none for one that gives none."""
    return _rows(statement, [_parameter(value) for value in values])


def _rows(statement: str, parameters: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        # Not `description`, which is made anew of every column.
        return cursor.fetchall() if cursor.pgresult.nfields else []


def _parameter(value: Any) -> Any:
    return array(value) if isinstance(value, list) else value


def array(values: list[Any]) -> str | list[Any]:
    """A list of numbers or of texts as Postgres writes it; the driver looks at each item for much longer.

    It has no type of its own but that of the column that it is compared with.
    """
    kinds = set(map(type, values))
    if kinds <= {int, float}:
        return f"{{{','.join(map(str, values))}}}"
    if kinds == {str}:
        quoted = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
        return '{"' + '","'.join(quoted) + '"}'
    return values
