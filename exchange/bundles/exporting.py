"""Writes a bundle as a stream, all of it as of one moment of the database."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connection, transaction
from django.db.models import DecimalField, Field, QuerySet

from accounts.models import User
from datasources.models import Datasource
from datasources.storage.errors import as_os_errors
from datasources.storage.files import documents_storage
from exchange.bundles import arrays
from exchange.bundles.archive import BLOCK, Writer
from exchange.bundles.contents import (
    CARRIED,
    DOCUMENT,
    LEFT_OUT,
    TURN,
    Scope,
    Table,
    is_person,
    refers_to,
    table_of,
)
from exchange.bundles.manifest import MANIFEST, sealed
from exchange.packs.facts import svq_version
from sql import rows

PARTLY = (DOCUMENT, TURN)  # tables of which some rows stay behind that others name
OTHER_LETTERS = re.compile(r"[^A-Za-z0-9._-]+")


def export(
    datasource: Datasource, person: User, *, conversations: bool = False, addresses: bool = False
) -> Iterator[bytes]:
    """The bundle, block by block. The person is its owner. conversations: also their own, never another's.
    addresses: people are told by their addresses where they have given no name.

    Raises OSError where a file can't be read; whoever has the blocks until then sees that the end is missing.
    """
    scope = Scope(datasource=datasource.pk, person=person.pk, conversations=conversations)
    with _moment():
        yield from _Exporting(datasource, scope, addresses=addresses).blocks()


@contextmanager
def _moment() -> Iterator[None]:
    """What is read in it is of one moment."""
    is_within = connection.in_atomic_block
    with transaction.atomic():
        if not is_within:
            rows("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


class _Exporting:
    def __init__(self, datasource: Datasource, scope: Scope, *, addresses: bool) -> None:
        self.datasource = datasource
        self.scope = scope
        self.names = "coalesce(nullif(name, ''), email)" if addresses else "name"
        self.writer = Writer()
        self.originals: dict[str, str] = {}  # the part of each stored file
        self.missing: list[int] = []
        self.rows: dict[str, int] = {}

    def blocks(self) -> Iterator[bytes]:
        yield from self._originals()
        for table in CARRIED:
            if table.only_vectors:
                yield from self._vectors(table)
            else:
                yield from self.writer.add(table.name, self._rows(table), packed=True)
        manifest = sealed(
            svq=svq_version(),
            name=self.datasource.name,
            embedding_model=self.datasource.embedding_model,
            embedding_dimensions=self.datasource.embedding_dimensions,
            conversations=self.scope.conversations,
            columns={table.label: table.columns for table in CARRIED},
            rows=self.rows,
            missing=self.missing,
            left_out=dict(LEFT_OUT),
            parts=[
                {"name": entry.name, "size": entry.size, "sha256": entry.sha256}
                for entry in self.writer.entries
            ],
        )
        yield from self.writer.add(MANIFEST, [manifest.written()], packed=True)
        yield self.writer.close()

    def _originals(self) -> Iterator[bytes]:
        documents = self.scope.documents.exclude(file="").order_by("pk")
        for pk, stored, filename in documents.values_list("pk", "file", "filename").iterator():
            if stored in self.originals:
                continue
            part = f"originals/{pk}/{_plain(filename)}"
            try:
                with as_os_errors():
                    file = documents_storage().open(stored)
            except FileNotFoundError:
                self.missing.append(pk)
                continue
            with as_os_errors(), file:
                yield from self.writer.add(part, file.chunks(BLOCK), packed=False)
            self.originals[stored] = part

    def _rows(self, table: Table) -> Iterator[bytes]:
        """A JSON object a line, in the order of their numbers."""
        columns = [self._selected(table, column) for column in table.fields]
        chosen, values = _compiled(table.chosen(self.scope).values("pk"))
        statement = (
            "SELECT convert_to(row_to_json(bundled)::text, 'UTF8')"
            f" FROM (SELECT {', '.join(sql for sql, _ in columns)}"
            f" FROM {table.model._meta.db_table} AS own WHERE own.{table.key} IN ({chosen})"
            f" ORDER BY own.{table.key}) AS bundled"
        )
        self.rows[table.label] = 0
        for line in _streamed(statement, [*(value for _, some in columns for value in some), *values]):
            self.rows[table.label] += 1
            yield self._placed(line) if table.label == DOCUMENT else line + b"\n"

    def _selected(self, table: Table, column: "Field[Any, Any]") -> tuple[str, Sequence[Any]]:
        """The column as SQL, with its values."""
        name = f'own."{column.column}"'
        if is_person(column):
            return f'(SELECT {self.names} FROM accounts_user WHERE id = {name}) AS "{column.name}"', ()
        if column.name == "status" and table.settled:
            unfinished = list(table.model.unfinished)  # type: ignore[attr-defined]
            return f"CASE WHEN {name} = ANY(%s) THEN %s ELSE {name} END AS status", (
                unfinished,
                table.settled,
            )
        if isinstance(column, DecimalField):
            return f'{name}::text AS "{column.column}"', ()
        may_stay_behind = refers_to(table, column) in PARTLY
        if column.is_relation and column.null and may_stay_behind:
            there = table_of(refers_to(table, column)).chosen(self.scope)
            kept, values = _compiled(there.values("pk"))
            return f'CASE WHEN {name} IN ({kept}) THEN {name} END AS "{column.column}"', values
        return name, ()

    def _placed(self, line: bytes) -> bytes:
        """A document's row with the part that has its file in place of where that is stored."""
        row = json.loads(line)
        row["file"] = self.originals.get(row["file"], "")
        return json.dumps(row, ensure_ascii=False).encode() + b"\n"

    def _vectors(self, table: Table) -> Iterator[bytes]:
        """Two arrays: the numbers of the rows that the vectors are of, and the vectors."""
        chosen, values = _compiled(table.chosen(self.scope).values_list(table.vectors_of, "vector"))
        given = f"FROM ({chosen}) AS chosen (number, vector)"
        ((count, least, most),) = rows(
            f"SELECT count(*), min(vector_dims(vector)), max(vector_dims(vector)) {given}",
            *values,
        )
        assert least == most, "a space has vectors of one length"
        dimensions = most or 0

        def numbers() -> Iterator[bytes]:
            yield arrays.header(arrays.NUMBER, count)
            for sent in _streamed(f"SELECT int8send(number) {given} ORDER BY number", values):
                yield sent[::-1]

        def vectors() -> Iterator[bytes]:
            yield arrays.header(arrays.HALF, count, dimensions)
            for sent in _streamed(f"SELECT halfvec_send(vector) {given} ORDER BY number", values):
                yield _little(sent[4:])

        yield from self.writer.add(f"vectors/{table.label}.rows.npy", numbers(), packed=True)
        yield from self.writer.add(f"vectors/{table.label}.npy", vectors(), packed=False)
        self.rows[table.label] = count


def _streamed(statement: str, values: Sequence[Any]) -> Iterator[bytes]:
    """What a statement of one column of bytes gives, one row after the other: a page can have megabytes, so
    that no number of them is right to be held at once. Until the end the connection answers nothing else.
    """
    with (
        connection.cursor() as cursor,
        # Of psycopg's cursor: Django's own, where it logs statements, takes no values here.
        cursor.cursor.copy(f"COPY ({statement}) TO STDOUT (FORMAT BINARY)", values) as copy,
    ):
        copy.set_types(["bytea"])
        for (sent,) in copy.rows():
            yield bytes(sent)


def _compiled(query: QuerySet[Any]) -> tuple[str, Sequence[Any]]:
    """SQL and its values."""
    try:
        sql, values = query.query.sql_with_params()
    except EmptyResultSet:
        sql, values = query.model._default_manager.extra(where=["false"]).values("pk").query.sql_with_params()
    return str(sql), tuple(values)


def _little(halves: bytes) -> bytes:
    """From big-endian, as Postgres sends them."""
    return np.frombuffer(halves, ">f2").astype("<f2").tobytes()


def _plain(filename: str) -> str:
    """The name of a file without anything that a program that unpacks it could take for a path."""
    name = OTHER_LETTERS.sub("_", filename).lstrip(".")
    stem, dot, end = name.rpartition(".")
    return (f"{stem[:60]}{dot}{end[:20]}" if stem else name[:80]) or "file"
