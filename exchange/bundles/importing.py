"""Takes a bundle in that was checked, as a new datasource: files first, then all rows in one transaction.

Whatever ends it before the transaction does leaves no row; the files have names that tell whose they are, so
that the next try, or the upkeep, removes them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from uuid import UUID

import numpy as np
import psycopg
from django.core.files import File
from django.db import DataError, IntegrityError, connection
from django.db.models import DateTimeField, Field
from django.utils import timezone
from django.utils.translation import gettext_noop
from procrastinate.contrib.django import app
from psycopg.errors import ProgramLimitExceeded

from accounts.models import User
from datasources.lanes import lane_of
from datasources.models import Datasource, Document, DocumentStatus
from datasources.storage.errors import as_os_errors
from datasources.storage.files import delete_stored, documents_storage
from exchange.bundles import arrays
from exchange.bundles.agreement import check_agreement
from exchange.bundles.checking import OF_VECTORS, Checked, Watch, nobody
from exchange.bundles.contents import (
    CARRIED,
    DATASOURCE,
    DOCUMENT,
    FRAMEWORK,
    SPACE,
    Table,
    is_left_out,
    is_person,
    table_of,
)
from exchange.bundles.errors import BundleError
from exchange.bundles.proofs import check_proofs
from exchange.bundles.reading import Rows, new_numbers
from formats.base.characters import visible_name
from graph.models import EntityName
from graph.resolution.blocking import write_blocks
from graph.resolution.resolve import Name
from ingestion.adding.upload import bare_name
from ingestion.indexes import search_index
from ingestion.indexes.embedding import copy_into
from ingestion.models import Chunk, VectorSpace
from ingestion.vector_jobs import defer_maintain
from sql import rows
from sql.locks import hold
from text.free_names import FreeNames

LOCK = 0x6275  # the class of advisory locks of imports, one a person
NAMES_AT_ONCE = 1000
CHUNKS_AT_ONCE = 500


def reserve_number() -> int:
    """The number of a datasource that is still to come."""
    ((number,),) = rows("SELECT nextval(pg_get_serial_sequence('datasources_datasource', 'id'))")
    return int(number)


def _longest_name(table: Table) -> int | None:
    return table.model._meta.get_field("name").max_length  # type: ignore[union-attr]


def stored_name(datasource: int, taking: UUID, place: int) -> str:
    """Of an original: each try to take the same bundle in gives it the same name."""
    return f"{datasource}/{taking.hex}{place:08d}"


def store_originals(bundle: Checked, datasource: int, taking: UUID, watch: Watch = nobody) -> dict[str, str]:
    """Put the files into the storage; the name that each part got. Raises OSError, BundleError."""
    stored, done, total = {}, 0, max(1, bundle.size)
    for place, entry in enumerate(bundle.originals):
        name = stored_name(datasource, taking, place)
        with as_os_errors(), bundle.archive.part(entry.name) as part:
            documents_storage().delete(name)
            stored[entry.name] = documents_storage().save(name, File(part, entry.name))
        done += entry.size
        watch(done, total)
    return stored


def remove_originals(datasource: int, taking: UUID, count: int) -> None:
    """Those of a bundle that was not taken in. Raises OSError."""
    delete_stored([stored_name(datasource, taking, place) for place in range(count)])


# What Postgres says of rows; COPY's errors are psycopg's own.
REFUSED = (IntegrityError, DataError, psycopg.IntegrityError, psycopg.DataError, ProgramLimitExceeded)


def write_rows(
    bundle: Checked, owner: User, datasource: int, stored: Mapping[str, str], watch: Watch = nobody
) -> Datasource:
    """All rows, within the caller's transaction; what follows is queued in it.

    Raises BundleError where rows contradict each other.
    """
    try:
        return _Writing(bundle, owner, datasource, stored, watch).write()
    except REFUSED as error:
        raise BundleError(gettext_noop("Rows of the bundle contradict each other.")) from error


class _Writing:
    def __init__(
        self, bundle: Checked, owner: User, datasource: int, stored: Mapping[str, str], watch: Watch
    ) -> None:
        self.bundle = bundle
        self.owner = owner
        self.datasource = datasource
        self.stored = stored
        self.watch = watch
        # Another import of theirs would choose the same names.
        hold(LOCK, owner.pk)
        self.taken = {  # looked up now: while rows are copied the connection answers nothing else
            label: FreeNames(
                table_of(label).model._default_manager.filter(owner=owner).values_list("name", flat=True)
            )
            for label in (DATASOURCE, FRAMEWORK)
            if not is_left_out(label)
        }
        self.done = 0
        self.total = (
            2 * sum(bundle.manifest.rows.values()) or 1
        )  # each is stored, and read again for the index

    def write(self) -> Datasource:
        for table in CARRIED:
            if table.label in self.bundle.numbers:
                self._number(table)
        readers = {rows.table.label: rows for rows in self.bundle.tables}
        for table in CARRIED:
            if table.only_vectors:
                self._copy_vectors(table)
            elif table.label in readers:
                self._copy(readers[table.label])
        rows("SET CONSTRAINTS ALL IMMEDIATE")
        datasource = Datasource.objects.get(pk=self.datasource)
        check_agreement(datasource.pk, self.owner.pk)
        check_proofs(datasource.pk, self._go_on)
        self._index_words()
        self._write_blocks()
        defer_maintain(datasource.pk)
        layout = app.configure_task("graph.tasks.lay_out_graph", allow_unknown=False)
        layout.defer(datasource_id=datasource.pk, lane=lane_of(datasource.pk, self.owner.pk).place())
        return datasource

    def _number(self, table: Table) -> None:
        """Give each row a new number; they rise as the old ones do, so that ties are broken as before."""
        numbers = self.bundle.numbers[table.label]
        count = len(numbers.old)
        if table.label == DATASOURCE:
            numbers.new = [self.datasource]
        elif isinstance(numbers.old, list):
            numbers.new = new_numbers(count)
        else:
            given = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"
            numbers.new = type(numbers.old)(
                "q", (n for (n,) in rows(given, table.model._meta.db_table, table.key, count))
            )

    def _copy(self, reader: Rows) -> None:
        table = reader.table
        columns = list(table.model._meta.local_concrete_fields)
        names = ", ".join(f'"{column.column}"' for column in columns)
        with (
            self.bundle.archive.part(table.name) as part,
            connection.cursor() as cursor,
            cursor.copy(f"COPY {table.model._meta.db_table} ({names}) FROM STDIN") as copy,
        ):
            for values in reader.read(part):
                moved = self._named(table, reader.moved(values))
                copy.write_row([self._value(table, column, moved) for column in columns])
                self._go_on()

    def _value(self, table: Table, column: "Field[Any, Any]", moved: Mapping[str, Any]) -> Any:
        if (name := str(column.column)) in moved:
            return moved[name]
        if column.name in table.stays:
            return table.stays[column.name]
        if table.is_datasource(column):
            return self.datasource
        if is_person(column):
            return None if column.null else self.owner.pk
        if isinstance(column, DateTimeField) and not column.null:  # a column that an older bundle lacks
            return timezone.now()
        return column.get_db_prep_save(column.get_default(), connection)

    def _named(self, table: Table, moved: dict[str, Any]) -> dict[str, Any]:
        """With a name that its owner has not given to another, with the file where it is stored, and called
        as an upload would be.
        """
        if table.label in self.taken:
            moved["name"] = self.taken[table.label].take(moved["name"], _longest_name(table))
        if table.label == DOCUMENT:
            moved["file"] = self.stored.get(moved["file"], "")
            moved["filename"] = bare_name(moved["filename"]) if moved["filename"] else ""
            moved["title"] = visible_name(moved["title"]) or moved["filename"]
        return moved

    def _copy_vectors(self, table: Table) -> None:
        if not self.bundle.manifest.rows.get(table.label):
            return
        space = VectorSpace.objects.get(pk=self.bundle.numbers[SPACE].new[0])
        copy_into(table.model._meta.db_table, table.vectors_of, space, self._vectors(table))

    def _vectors(self, table: Table) -> Iterator[tuple[int, Any]]:
        """Of each row its number here and its vector."""
        names = f"vectors/{table.label}.rows.npy", f"vectors/{table.label}.npy"
        here = self.bundle.numbers[OF_VECTORS[table.vectors_of]].here
        archive = self.bundle.archive
        with archive.part(names[0]) as numbers, archive.part(names[1]) as halves:
            shape = arrays.read_header(numbers, arrays.NUMBER, names[0])
            wide = arrays.read_header(halves, arrays.HALF, names[1])
            for some, vectors in zip(
                arrays.read_rows(numbers, arrays.NUMBER, shape, names[0]),
                arrays.read_rows(halves, arrays.HALF, wide, names[1]),
                strict=True,
            ):
                for number, vector in zip(some.tolist(), vectors.astype(np.float32), strict=True):
                    yield here(number), vector
                    self._go_on()

    def _index_words(self) -> None:
        """The words of chunks are known by hashes that differ from datasource to datasource."""
        read = Document.objects.filter(datasource=self.datasource, status=DocumentStatus.READY)
        for document in read.order_by("pk").iterator(chunk_size=100):
            chunks = Chunk.objects.filter(document=document).order_by("index").values_list("pk", "text")
            texts = list(chunks)
            search_index.index_documents([(document, [text for _, text in texts])])
            for some in _portions(texts, CHUNKS_AT_ONCE):
                search_index.index_chunks(self.datasource, [(pk, document.pk, text) for pk, text in some])
                self._go_on(len(some))

    def _write_blocks(self) -> None:
        names = EntityName.objects.filter(datasource=self.datasource).order_by("pk")
        told = names.values_list("pk", "key", "sense", "types").iterator(chunk_size=NAMES_AT_ONCE)
        while some := list(islice(told, NAMES_AT_ONCE)):
            named = [(pk, Name.of((key, sense), types)) for pk, key, sense, types in some]
            write_blocks(self.datasource, named)

    def _go_on(self, count: int = 1) -> None:
        self.done += count
        self.watch(self.done, self.total)


def _portions(values: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]
