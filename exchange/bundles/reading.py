"""Reads the rows of a table from a bundle, and gives them new numbers.

The numbers of a table's rows rise from line to line, so that eight bytes a row are enough to know them all.
"""

import json
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any
from uuid import uuid4

from django.db import models
from django.db.models import NOT_PROVIDED, Field
from django.utils.translation import gettext_noop

from exchange.bundles.columns import Check, WholeRow, Wrong, check_of
from exchange.bundles.contents import (
    CARRIED,
    CHUNK,
    DATASOURCE,
    DOCUMENT,
    Table,
    is_left_out,
    is_person,
    refers_to,
)
from exchange.bundles.errors import BundleError, Damaged
from exchange.bundles.manifest import Manifest, Upgrade
from localization.stored import said
from text.json_lines import BadJson, parsed

PAGE, LONGEST_OF_OTHERS = "ingestion.Page", 8 << 20
LONGEST_LINE = 64 << 20  # bytes; the letters and places of a page of a million characters have 40 million
MOST_MARKS = 1_000_000  # commas and brackets of a line: a few bytes of JSON can be hundreds in memory
LARGEST = 2**63 - 1
HALF_CHARACTER = b"\\ud"  # how JSON writes half a character, which no database stores
NAMED: Mapping[str, str] = {
    "document": DOCUMENT,
    "documents": DOCUMENT,
    "document_id": DOCUMENT,
    "document_ids": DOCUMENT,
    "chunk": CHUNK,
    "chunks": CHUNK,
    "chunk_id": CHUNK,
    "chunk_ids": CHUNK,
}
# Columns of the first bundles that could be empty, and that what checks rows relies on.
RELIED_ON: Mapping[str, frozenset[str]] = {
    DATASOURCE: frozenset({"embedding_dimensions"}),
    DOCUMENT: frozenset({"passage", "status"}),
    PAGE: frozenset({"boxes", "certainty"}),
}
NEWER = gettext_noop("Nothing was stored. A newer SVQ may have written the file: import it with that.")
UNKNOWN_TABLE = gettext_noop("The file has rows of a table that this SVQ does not know: {table}.")
GONE = 0  # in place of a number within JSON that nothing in the bundle has


@dataclass(slots=True)
class Numbers:
    """The numbers of a table's rows in the bundle, and those that they get here."""

    old: "array[int] | list[str]"
    new: Sequence[Any] = ()

    def add(self, number: Any) -> bool:
        """Whether it is higher than the one before, as it has to be."""
        if self.old and number <= self.old[-1]:
            return False
        self.old.append(number)
        return True

    def has(self, number: Any) -> bool:
        return self._place(number) is not None

    def here(self, number: Any) -> Any:
        """The number of that row here; None where no row of the bundle has it."""
        place = self._place(number)
        return None if place is None else self.new[place]

    def _place(self, number: Any) -> int | None:
        place = bisect_left(self.old, number)
        return place if place < len(self.old) and self.old[place] == number else None

    @classmethod
    def of(cls, table: Table) -> "Numbers":
        return cls([] if isinstance(table.model._meta.pk, models.UUIDField) else array("q"))


def numbered() -> dict[str, Numbers]:
    """Of all tables whose rows others can name."""
    return {
        table.label: Numbers.of(table) for table in CARRIED if table.has_numbers and not table.only_vectors
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    field: "Field[Any, Any]"
    name: str
    check: Check
    refers: str = ""  # the label of the table that it names rows of, by a foreign key
    softly: str = ""  # the same without one: what is not in the bundle is left out
    person: bool = False
    in_json: bool = False


def may_lack(table: Table, column: "Field[Any, Any]") -> bool:
    """Whether an older bundle may be without the column: its rows get what a new row has there."""
    is_needed = column.primary_key or column.name in RELIED_ON.get(table.label, ())
    return not is_needed and (column.null or column.default is not NOT_PROVIDED)


@dataclass(kw_only=True)
class Rows:
    """The rows of one table. columns: those that the bundle has."""

    table: Table
    columns: Sequence[str]
    upgrades: Sequence[Upgrade]
    numbers: dict[str, Numbers]
    known: list[_Column] = field(init=False)

    def __post_init__(self) -> None:
        unknown = set(self.columns) - set(self.table.columns)
        if unknown:
            raise BundleError(
                said(
                    "{part} has a column that this SVQ does not know: {column}.",
                    part=self.table.name,
                    column=min(unknown)[:80],
                ),
                NEWER,
            )
        if len(set(self.columns)) < len(self.columns):
            raise Damaged(self.table.name, "names a column twice")
        fields = zip(self.table.fields, self.table.columns, strict=True)
        self.known = [_column(self.table, each, name) for each, name in fields if name in set(self.columns)]
        for each, name in zip(self.table.fields, self.table.columns, strict=True):
            if name not in self.columns and not may_lack(self.table, each):
                raise Damaged(self.table.name, f"lacks the column {name}")

    @property
    def longest(self) -> int:
        return LONGEST_LINE if self.table.label == PAGE else LONGEST_OF_OTHERS

    def read(self, file: IO[bytes]) -> Iterator[dict[str, Any]]:
        """Each row with its values as the database takes them, and the numbers of other rows as the bundle
        has them. Raises BundleError.
        """
        line = 0
        while content := file.readline(self.longest + 1):
            line += 1
            try:
                yield self._checked(self._row(content))
            except Wrong as wrong:
                raise Damaged(self.table.name, str(wrong), line=line, hint=wrong.hint) from wrong

    def _row(self, content: bytes) -> dict[str, Any]:
        if len(content) > self.longest:
            raise Wrong("is too long")
        if sum(map(content.count, (b",", b"[", b"{"))) > MOST_MARKS:
            raise Wrong("has more values than a row has")
        try:
            row = parsed(content) if HALF_CHARACTER in content.lower() else json.loads(content)
        except (BadJson, ValueError, RecursionError) as error:
            raise Wrong("is not JSON, or is nested too deep") from error
        if not isinstance(row, dict):
            raise Wrong("is no object")
        for upgrade in self.upgrades:
            row = upgrade.row(self.table.label, row)
        if row.keys() != set(self.columns):
            raise Wrong("has other columns than the manifest says")
        return row

    def _checked(self, row: dict[str, Any]) -> dict[str, Any]:
        values = {}
        for column in self.known:
            try:
                values[column.name] = column.check(row[column.name])
            except Wrong as wrong:
                raise Wrong(f"can't be stored: {column.name} {wrong}", hint=wrong.hint) from wrong
        WholeRow(self.table.label).check(row)
        return values

    def missing(self, values: Mapping[str, Any]) -> list[_Column]:
        """The columns that name rows which are not in the bundle, as far as it has been read."""
        return [
            column
            for column in self.known
            if column.refers
            and (number := values[column.name]) is not None
            and not self.numbers[column.refers].has(number)
        ]

    def moved(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values by the columns of the database, with the numbers that rows have here. People are left
        out: their accounts are elsewhere.
        """
        moved = {}
        for column in self.known:
            value = values[column.name]
            if column.person:
                continue
            if column.refers and value is not None:
                value = self.numbers[column.refers].here(value)
            elif column.softly and value is not None:
                value = self._softly(column, value)
            elif column.in_json and value is not None:
                value = json.dumps(self._in_json(json.loads(value)), ensure_ascii=False)
            moved[str(column.field.column)] = value
        if self.table.has_numbers:
            moved[self.table.key] = self.numbers[self.table.label].here(values[self.table.key])
        return moved

    def _softly(self, column: _Column, value: Any) -> Any:
        here: Callable[[Any], Any] = self.numbers[column.softly].here
        if isinstance(column.field, models.JSONField):
            return json.dumps(self._several(here, json.loads(value)))
        return self._several(here, value) if isinstance(value, list) else here(value)

    def _several(self, here: Callable[[Any], Any], value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [number for each in value if _is_number(each) and (number := here(each)) is not None]

    def _in_json(self, value: Any, name: str = "") -> Any:
        """With the numbers of documents and passages that it names."""
        if isinstance(value, dict):
            return {key: self._in_json(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            if label := name.endswith("s") and NAMED.get(name):
                here = self.numbers[label].here
                numbers = [here(each) if _is_number(each) else self._in_json(each) for each in value]
                return [each for each in numbers if each is not None]
            return [self._in_json(each) for each in value]
        if _is_number(value) and not name.endswith("s") and (label := NAMED.get(name)):
            return self.numbers[label].here(value) or GONE
        return value


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) <= LARGEST


def _column(table: Table, column: "Field[Any, Any]", name: str) -> _Column:
    if is_person(column):
        return _Column(field=column, name=name, check=_name_of_person, person=True)
    label = refers_to(table, column)
    if label and column.is_relation:
        return _Column(field=column, name=name, check=_reference(table, column, label), refers=label)
    if label:
        return _Column(field=column, name=name, check=check_of(table, column), softly=label)
    return _Column(
        field=column, name=name, check=check_of(table, column), in_json=column.name in table.json_ids
    )


def _reference(table: Table, column: "Field[Any, Any]", label: str) -> Check:
    """Checks a number of another row by the type of that row's number."""
    target: Any = column.target_field  # type: ignore[attr-defined]
    while target.is_relation:
        target = target.target_field
    check = check_of(table, target)
    return lambda value: None if value is None and column.null else check(value)


def _name_of_person(value: Any) -> None:
    if value is not None and (not isinstance(value, str) or len(value) > 500 or "\0" in value):
        raise Wrong("is no name")


def tables_of(manifest: Manifest, upgrades: Sequence[Upgrade], numbers: dict[str, Numbers]) -> list[Rows]:
    """The tables with rows, in the order in which they are stored. Raises BundleError."""
    unknown = manifest.columns.keys() - {table.label for table in CARRIED}
    check_left_out(label for label, count in manifest.rows.items() if count)
    unknown -= {label for label in unknown if is_left_out(label)}
    if unknown:
        raise BundleError(said(UNKNOWN_TABLE, table=min(unknown)[:80]), NEWER)
    return [
        Rows(table=table, columns=manifest.columns[table.label], upgrades=upgrades, numbers=numbers)
        for table in CARRIED
        if not table.only_vectors and table.label in manifest.columns
    ]


def check_left_out(labels: Iterable[str]) -> None:
    """Raises BundleError where a table that has rows belongs to a desk that is left out here."""
    if left_out := sorted(filter(is_left_out, labels)):
        desk = left_out[0].partition(".")[0]
        raise BundleError(
            said("It has something of “{desk}”, which this server does without.", desk=desk),
            gettext_noop("Nothing was stored; have it added (SVQ_LEAVE_OUT)."),
        )


def new_numbers(count: int) -> list[str]:
    return [str(uuid4()) for _ in range(count)]
