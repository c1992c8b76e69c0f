"""Whether a bundle can be taken in: all of it is read and checked before anything is written."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from django.conf import settings
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

from datasources.capacity import MEGABYTE
from exchange.bundles import arrays
from exchange.bundles.archive import BLOCK, Archive, Entry, opened
from exchange.bundles.contents import (
    CARRIED,
    CHUNK,
    DATASOURCE,
    DOCUMENT,
    ENTITY,
    RELATION,
    SPACE,
    Table,
    is_left_out,
)
from exchange.bundles.errors import BundleError, Damaged
from exchange.bundles.manifest import MANIFEST, Manifest, Upgrade, check_size, most_bytes, read_manifest
from exchange.bundles.reading import NEWER, UNKNOWN_TABLE, Numbers, Rows, numbered, tables_of
from localization.stored import said

OF_VECTORS = {"chunk_id": CHUNK, "entity_id": ENTITY, "relation_id": RELATION}
Watch = Callable[[int, int], object]  # bytes done, bytes in all; may raise what ends the work


def nobody(done: int, total: int) -> None:
    """For who does not watch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A bundle that can be taken in. numbers: of the rows of each table. documents: how many; size: bytes of
    their originals.
    """

    archive: Archive
    manifest: Manifest
    upgrades: Sequence[Upgrade]
    numbers: dict[str, Numbers]
    documents: int
    size: int

    @property
    def tables(self) -> list[Rows]:
        return tables_of(self.manifest, self.upgrades, self.numbers)

    @property
    def originals(self) -> list[Entry]:
        return [entry for name, entry in self.manifest.entries.items() if name.startswith("originals/")]


@contextmanager
def checked(path: Path, watch: Watch = nobody) -> Iterator[Checked]:
    """The bundle, open to be taken in. Raises BundleError for what is no bundle, what was altered, and what
    this SVQ can't store; OSError.
    """
    with opened(path) as archive:
        yield _Checking(archive, watch).checked()


class _Checking:
    def __init__(self, archive: Archive, watch: Watch) -> None:
        self.archive = archive
        self.watch = watch
        self.manifest, self.upgrades = read_manifest(self._manifest())
        self.entries = self.manifest.entries
        self.numbers = numbered()
        self.total = 2 * sum(entry.size for entry in self.entries.values()) or 1
        self.done = 0
        self.sizes: dict[str, int] = {}  # of the spaces and documents
        self.dimensions = 0
        self.files: set[str] = set()  # originals that a document names
        self.model: tuple[str, int | None] = ("", None)  # of the datasource's vectors, and their dimensions

    def checked(self) -> Checked:
        own = Entry(name=MANIFEST, size=self.archive.size(MANIFEST), sha256="")
        self.archive.check(self.entries | {MANIFEST: own})
        self._check_tables()
        self._check_capacity()
        for entry in self.entries.values():
            self._check_hash(entry)
        tables = tables_of(self.manifest, self.upgrades, self.numbers)
        for rows in tables:
            self._check_rows(rows)
        for name in self.entries:
            if name.startswith("originals/") and name not in self.files:
                raise Damaged(name, "is a file of no document")
        for table in CARRIED:
            if table.only_vectors and table.label in self.manifest.columns:
                self._check_vectors(table)
        if self._count(DATASOURCE) != 1:
            raise BundleError(gettext_noop("It is not of one datasource."))
        return Checked(
            archive=self.archive,
            manifest=self.manifest,
            upgrades=self.upgrades,
            numbers=self.numbers,
            documents=self._count(DOCUMENT),
            size=self._size_of_originals(),
        )

    def _manifest(self) -> bytes:
        parts = len(self.archive.names)
        with self.archive.part(MANIFEST) as part:
            content = part.read(most_bytes(parts) + 1)
        check_size(content, parts)
        return content

    def _check_tables(self) -> None:
        known = {table.label for table in CARRIED}
        for name, entry in self.entries.items():
            folder, _, file = name.partition("/")
            label = ".".join(file.split(".")[:2])
            if folder != "originals" and label not in known and not is_left_out(label):
                raise BundleError(said(UNKNOWN_TABLE, table=label[:80]), NEWER)
            # Nobody reads these, so that rows in them would be dropped without a word.
            if folder == "rows" and is_left_out(label) and entry.size and not self._count(label):
                raise Damaged(name, "has rows, its manifest says 0")
            if folder != "originals" and not is_left_out(label):
                self._check_has_columns(label)
        for label, count in self.manifest.rows.items():
            if count and label in known:
                self._check_has_columns(label)

    def _check_has_columns(self, label: str) -> None:
        """Rows of a table without columns would be passed over. Raises BundleError."""
        if label not in self.manifest.columns:
            raise Damaged(label, "has rows, its manifest does not say which columns these have")

    def _count(self, label: str) -> int:
        return self.manifest.rows.get(label, 0)

    def _size_of_originals(self) -> int:
        return sum(entry.size for name, entry in self.entries.items() if name.startswith("originals/"))

    def _check_capacity(self) -> None:
        """Raises BundleError."""
        most, size = settings.MAX_DATASOURCE_DOCUMENTS, self._size_of_originals()
        if self._count(DOCUMENT) > most or len(self.entries) > most + 3 * len(CARRIED):
            raise BundleError(
                said(
                    "It has {n} documents, and a datasource takes {most} at most.",
                    n=self._count(DOCUMENT),
                    most=most,
                ),
                gettext_noop("Nothing was stored; have the limit raised (SVQ_MAX_DATASOURCE_DOCUMENTS)."),
            )
        if size > settings.MAX_DATASOURCE_BYTES:
            raise BundleError(
                said(
                    "It has {size} MB of files, and a datasource takes {most} MB at most.",
                    size=size // MEGABYTE,
                    most=settings.MAX_DATASOURCE_BYTES // MEGABYTE,
                ),
                gettext_noop("Nothing was stored; have the limit raised (SVQ_MAX_DATASOURCE_MB)."),
            )

    def _check_hash(self, entry: Entry) -> None:
        digest, size = hashlib.sha256(), 0
        with self.archive.part(entry.name) as part:
            while block := part.read(BLOCK):
                digest.update(block)
                size += len(block)
                self._go_on(len(block))
        if digest.hexdigest() != entry.sha256 or size != entry.size:
            raise BundleError(said("{name} was altered.", name=entry.name))

    def _check_rows(self, rows: Rows) -> None:
        table, count = rows.table, 0
        own = self.numbers.get(table.label)
        later: list[tuple[int, str, Any]] = []  # what names rows of the same table that may still come
        links: dict[str, dict[Any, Any]] = {}  # by column, which row of the same table each row names
        with self._part(table.name) as part:
            for count, values in enumerate(rows.read(part), 1):
                if own is not None and not own.add(values[table.key]):
                    raise Damaged(table.name, "has no higher number than the one before", line=count)
                for column in rows.missing(values):
                    if column.refers != table.label:
                        raise _outside(count, table, column.name)
                    later.append((count, column.name, values[column.name]))
                for column in rows.known:
                    if column.refers == table.label and values[column.name] is not None:
                        links.setdefault(column.name, {})[values[table.key]] = values[column.name]
                self._check_special(table, count, values)
        for line, name, number in later:
            if own is None or not own.has(number):
                raise _outside(line, table, name)
        for name, each in links.items():
            if has_circle(each):
                raise Damaged(table.name, f"has rows that name each other in a circle ({name})")
        if count != self._count(table.label):
            raise Damaged(table.name, f"has {count:,} rows, its manifest says {self._count(table.label):,}")
        self._go_on(self.entries[table.name].size)

    def _check_special(self, table: Table, line: int, values: dict[str, Any]) -> None:
        if table.label == DATASOURCE:
            self.model = values["embedding_model"], values["embedding_dimensions"]
        if table.label == SPACE:
            self.dimensions = values["dimensions"]
            if (values["model"], self.dimensions) != self.model:
                raise Damaged(table.name, "is of another model than its datasource", line=line)
        if table.label == DOCUMENT and values["file"]:
            entry = self.entries.get(values["file"])
            is_whole_file = values["passage"] is None
            if entry is None or not entry.name.startswith("originals/"):
                raise Damaged(table.name, "names a file that is not in the bundle", line=line)
            self.files.add(entry.name)
            if is_whole_file and (entry.sha256, entry.size) != (values["sha256"], values["size"]):
                raise Damaged(table.name, "names a file that has other contents than it says", line=line)

    def _check_vectors(self, table: Table) -> None:
        names = f"vectors/{table.label}.rows.npy", f"vectors/{table.label}.npy"
        target = self.numbers[OF_VECTORS[table.vectors_of]]
        with self._part(names[0]) as part:
            shape = arrays.read_header(part, arrays.NUMBER, names[0])
            _expect(len(shape) == 1, names[0])
            before = -1
            for some in arrays.read_rows(part, arrays.NUMBER, shape, names[0]):
                for number in some.tolist():
                    if number <= before or not target.has(number):
                        raise Damaged(names[0], "names a row that is not in the bundle, or names it twice")
                    before = number
        with self._part(names[1]) as part:
            wide = arrays.read_header(part, arrays.HALF, names[1])
            _expect(len(wide) == 2 and wide[0] == shape[0] == self._count(table.label), names[1])
            if wide[0] and wide[1] != self.dimensions:
                raise Damaged(
                    names[1], f"has vectors of {wide[1]:,} dimensions, the model has {self.dimensions:,}"
                )
            for halves in arrays.read_rows(part, arrays.HALF, wide, names[1]):
                _check_finite(halves, names[1])
        self._go_on(sum(self.entries[name].size for name in names))

    @contextmanager
    def _part(self, name: str) -> Iterator[IO[bytes]]:
        if name not in self.entries:
            raise BundleError(said("{name} is missing.", name=name))
        with self.archive.part(name) as part:
            yield part

    def _go_on(self, size: int) -> None:
        self.done += size
        self.watch(self.done, self.total)


def has_circle(links: Mapping[Any, Any]) -> bool:
    """Whether somebody who follows them, from any of the rows, comes back to it: that would have no end."""
    ended: set[Any] = set()
    for start in links:
        way: set[Any] = set()
        row = start
        while row in links and row not in ended:
            if row in way:
                return True
            way.add(row)
            row = links[row]
        ended |= way
    return False


def _outside(line: int, table: Table, name: str) -> Damaged:
    return Damaged(table.name, f"names a row that is not in the bundle ({name})", line=line)


def _check_finite(halves: NDArray[Any], name: str) -> None:
    if not np.isfinite(halves).all():
        raise Damaged(name, "has a vector with NaN or infinity in it")


def _expect(is_right: bool, name: str) -> None:
    if not is_right:
        raise Damaged(name, arrays.OTHER_FORM)
