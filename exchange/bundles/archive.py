"""The archive that a bundle is: a ZIP of parts, written as a stream, of which no byte can change unseen.

Its comment is the SHA-256 of all bytes before the comment, as 64 letters. Rows are deflated, originals and
vectors are stored as they are. Nothing is ever unpacked into a folder.
"""

import hashlib
import re
import stat
import struct
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO

from django.utils.translation import gettext_noop

from exchange.bundles.errors import BundleError, Damaged
from localization.stored import said

BLOCK = 1 << 16  # bytes read at once
LEVEL = 1  # of compression: of ten reports, a tenth larger than the usual level, and three times as quick
COMMENT = 64  # letters
MOST_TIMES = 200  # that a part may be larger than it is packed; rows of SVQ are 3 to 30 times as large
FREE_BYTES = 1 << 20  # up to here that is not asked
MOST_PARTS = 100_000  # each takes memory before it is looked at
DAMAGED = gettext_noop("The file is not as it was written: it was altered, or cut off on its way.")
NO_BUNDLE = (
    gettext_noop("The file is whole, but SVQ has not exported it as a datasource."),
    gettext_noop("Nothing was stored. Choose the .zip file that an export has made."),
)
CUT_OFF = (
    gettext_noop("The file has no end: it was cut off on its way, or is no .zip file."),
    gettext_noop("Nothing was stored. Copy or download the exported file again, and choose that."),
)
LONGEST_ENTRY = 200  # bytes of a part in the list of parts: its name and numbers
# The records at the end of a ZIP, and the size of what stands between the two.
END, LARGE_END, LARGE_LOCATOR = struct.Struct("<4s4H2LH"), struct.Struct("<4sQ2H2L4Q"), 20
HASH = re.compile(rb"[0-9a-f]{%d}" % COMMENT)
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A part. size: in bytes, unpacked. sha256: of these, hexadecimal."""

    name: str
    size: int
    sha256: str


class _Outgoing:
    """What ZipFile writes to: it can't be gone back in, and is taken away in blocks. The last letters, in
    whose place the hash comes, are held back until the end.
    """

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._held = b""
        self._digest = hashlib.sha256()
        self.waiting = 0  # bytes to be taken

    def write(self, data: bytes) -> int:
        self._held += bytes(data)
        if len(self._held) > COMMENT:
            self._give(self._held[:-COMMENT])
            self._held = self._held[-COMMENT:]
        return len(data)

    def flush(self) -> None:
        """Nothing to do, but it is called."""

    def close(self) -> None:
        """The end of the archive; nothing can be added after it."""

    def take(self) -> bytes:
        taken, self._blocks, self.waiting = b"".join(self._blocks), [], 0
        return taken

    def end(self) -> None:
        self._blocks.append(self._digest.hexdigest().encode())

    def _give(self, data: bytes) -> None:
        self._digest.update(data)
        self._blocks.append(data)
        self.waiting += len(data)


class Writer:
    """Parts go in one after the other; what is ready is taken meanwhile."""

    def __init__(self) -> None:
        self._out = _Outgoing()
        self._zip = zipfile.ZipFile(self._out, "w", allowZip64=True)
        self._zip.comment = b"0" * COMMENT
        self.entries: list[Entry] = []

    def add(self, name: str, content: Iterable[bytes], *, packed: bool) -> Iterator[bytes]:
        """Write a part, and give what is ready."""
        head = zipfile.ZipInfo(name)
        head.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        head._compresslevel = LEVEL  # type: ignore[attr-defined]
        size, digest = 0, hashlib.sha256()
        with self._zip.open(head, "w", force_zip64=True) as part:
            for block in content:
                part.write(block)
                digest.update(block)
                size += len(block)
                if self._out.waiting > BLOCK:
                    yield self._out.take()
        self.entries.append(Entry(name=name, size=size, sha256=digest.hexdigest()))

    def close(self) -> bytes:
        """The end of the archive."""
        self._zip.close()
        self._out.end()
        return self._out.take()


class Archive:
    """A bundle that was opened. Each part is read block by block, up to the size that it says."""

    def __init__(self, opened: zipfile.ZipFile) -> None:
        self._zip = opened
        self._infos = {info.filename: info for info in opened.infolist()}

    @property
    def names(self) -> Collection[str]:
        return self._infos.keys()

    def size(self, name: str) -> int:
        return self._infos[name].file_size

    @contextmanager
    def part(self, name: str) -> Iterator[IO[bytes]]:
        """Raises BundleError where it is not there or not whole."""
        info = self._infos.get(name)
        if info is None:
            raise BundleError(said("{name} is missing.", name=name))
        try:
            with self._zip.open(info) as part:
                yield part
        except (zipfile.BadZipFile, EOFError, NotImplementedError, zipfile.zlib.error) as error:  # type: ignore[attr-defined]
            raise BundleError(DAMAGED) from error

    def check(self, parts: Mapping[str, Entry]) -> None:
        """Whether it has these parts and no others, of these sizes. Raises BundleError."""
        if unknown := sorted(self.names - parts.keys()):
            part = repr(unknown[0][:100])
            raise BundleError(said("The file has a part that its manifest does not name: {part}.", part=part))
        for entry in parts.values():
            if entry.name not in self.names:
                raise BundleError(said("{name} is missing.", name=entry.name))
            if entry.size != self.size(entry.name):
                raise Damaged(entry.name, "has another size than its manifest says")


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """Raises BundleError for what is no bundle or was altered, OSError."""
    with path.open("rb") as file:
        _check_hash(file)
        _check_directory(file)
        try:
            with zipfile.ZipFile(file) as archive:
                _check_entries(archive, path.stat().st_size)
                yield Archive(archive)
        except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
            raise BundleError(*_no_bundle(file)) from error


def _no_bundle(file: BinaryIO) -> tuple[str, str]:
    """Of a file that can't be taken in: whether it is another ZIP, or not whole."""
    return NO_BUNDLE if zipfile.is_zipfile(file) else CUT_OFF


def _check_hash(file: BinaryIO) -> None:
    left = file.seek(0, 2) - COMMENT
    file.seek(0)
    if left < 0 or file.read(2) != b"PK":
        raise BundleError(*_no_bundle(file))
    file.seek(0)
    digest = hashlib.sha256()
    while left > 0 and (block := file.read(min(BLOCK, left))):
        digest.update(block)
        left -= len(block)
    said = file.read(COMMENT)
    if not HASH.fullmatch(said):
        raise BundleError(*_no_bundle(file))
    if said != digest.hexdigest().encode():
        raise BundleError(DAMAGED)


def _check_directory(file: BinaryIO) -> None:
    """Before `zipfile` reads the list of parts, all of it at once: some hundred bytes of memory for each.

    The end of a ZIP says how long that list is (APPNOTE.TXT 4.3.16; 4.3.14 where it does not fit there).
    """
    at = file.seek(0, 2) - COMMENT - END.size
    if at < 0:
        raise BundleError(*_no_bundle(file))
    file.seek(at)
    end = file.read(END.size)
    mark, _, _, _, parts, size, _, comment = END.unpack(end)
    if mark != b"PK\5\6" or b"PK\5\6" in end[1:] or comment != COMMENT:
        raise BundleError(*_no_bundle(file))
    if (large := at - LARGE_LOCATOR - LARGE_END.size) >= 0:
        file.seek(large)
        found = LARGE_END.unpack(file.read(LARGE_END.size))
        if found[0] == b"PK\6\6":
            parts, size = found[7], found[8]
    if parts > MOST_PARTS or size > MOST_PARTS * LONGEST_ENTRY:
        raise BundleError(said("The file has more than {n} parts.", n=MOST_PARTS))


def _check_entries(archive: zipfile.ZipFile, size: int) -> None:
    infos = archive.infolist()
    if len({info.filename for info in infos}) != len(infos):
        raise BundleError(gettext_noop("The file has two parts of the same name."))
    if sum(info.compress_size for info in infos) > size:
        raise BundleError(
            gettext_noop("Parts of the file overlap: it is not laid out as SVQ writes bundles.")
        )
    for info in infos:
        name = repr(info.filename[:100])
        if info.compress_type not in METHODS or info.flag_bits & ENCRYPTED:
            raise Damaged(name, "is packed or encrypted in a way that bundles are not")
        if stat.S_ISLNK(info.external_attr >> 16) or info.is_dir():
            raise Damaged(name, "is a link or a folder, and bundles have none")
        if info.file_size > FREE_BYTES and info.file_size > MOST_TIMES * max(info.compress_size, 1):
            raise Damaged(name, "unpacks to far more than rows of SVQ do")
