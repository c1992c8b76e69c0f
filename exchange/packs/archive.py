"""The archive that a pack is: a ZIP without compression, of which every byte is settled by its files' names
and contents. So nothing can be hidden in it, and reading one unpacks nothing.

Pure. Layout: PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16; method 0 (stored), no extra fields, no
comments, all times 1980-01-01.
"""

import hashlib
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

NAME = re.compile(r"(?:pictures/)?[a-z0-9][a-z0-9-]{0,60}\.[a-z]{2,5}")
MOST_FILES = 1_000
MOST_BYTES = 256 * 1024 * 1024  # of the whole archive
BLOCK = 1 << 16  # bytes read at once

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_VERSION, _DAY = 20, 0x21  # ZIP 2.0; 1980-01-01
OTHER_LAYOUT = (
    "It is not laid out as SVQ writes packs: it was altered, cut off, or packed again by another program."
)


class BadArchive(Exception):
    """The file is no archive as packs are; the message says so in a sentence."""


class TooLarge(Exception):
    """An archive would have more files, or more bytes, than one that can be verified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file of an archive. start: where its content begins, in bytes. sha256: of the content, hexadecimal.

    intact: whether the checksum that the archive has for the content is the content's.
    """

    name: str
    size: int
    crc: int
    start: int
    sha256: str
    intact: bool = True


class ArchiveWriter:
    """Writes an archive into `file`, a file after the other; `close` ends it."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.entries: list[Entry] = []
        self._at = 0

    def add(self, name: str, content: bytes | Path) -> None:
        """Raises ValueError for a name that packs have not, or that is there already; TooLarge."""
        if not NAME.fullmatch(name) or any(entry.name == name for entry in self.entries):
            raise ValueError(f"{name!r} cannot be in a pack.")
        crc, size, digest = 0, 0, hashlib.sha256()
        for block in _blocks(content):
            crc, size = zlib.crc32(block, crc), size + len(block)
            digest.update(block)
        header = _local(name, size, crc)
        start = self._at + len(header)
        entry = Entry(name=name, size=size, crc=crc, start=start, sha256=digest.hexdigest())
        end = len(_directory([*self.entries, entry], 0))
        if len(self.entries) >= MOST_FILES or start + size + end > MOST_BYTES:
            raise TooLarge
        self.entries.append(entry)
        self._write(header)
        for block in _blocks(content):
            self._write(block)

    def close(self) -> None:
        self._write(_directory(self.entries, self._at))

    def _write(self, data: bytes) -> None:
        self.file.write(data)
        self._at += len(data)


def read_entries(file: BinaryIO) -> list[Entry]:
    """The files of an archive, each read once, block by block. Raises BadArchive, OSError."""
    length = file.seek(0, 2)
    if length > MOST_BYTES:
        raise BadArchive(f"It is larger than a pack can be ({MOST_BYTES // 2**20} MB).")
    file.seek(0)
    entries: list[Entry] = []
    while (header := file.read(_LOCAL.size))[:4] == b"PK\3\4":
        if len(entries) >= MOST_FILES:
            raise BadArchive(f"It has more files than a pack can have ({MOST_FILES:,}).")
        entries.append(_read_entry(file, header, length))
        if any(entry.name == entries[-1].name for entry in entries[:-1]):
            raise BadArchive(f"It has two files of the name {entries[-1].name}.")
    at = file.tell() - len(header)
    file.seek(at)
    expected = _directory(entries, at)
    if length - at != len(expected) or file.read(len(expected)) != expected:
        raise BadArchive(OTHER_LAYOUT)
    return entries


def read_content(file: BinaryIO, entry: Entry, most: int) -> bytes:
    """Raises BadArchive where it has more than so many bytes."""
    if entry.size > most:
        raise BadArchive(f"Its {entry.name} is larger than it can be.")
    file.seek(entry.start)
    return file.read(entry.size)


def _read_entry(file: BinaryIO, header: bytes, length: int) -> Entry:
    if len(header) < _LOCAL.size:
        raise BadArchive(OTHER_LAYOUT)
    *_, crc, size, _, name_length, _ = _LOCAL.unpack(header)
    written = file.read(min(name_length, 256))
    try:
        name = written.decode("ascii")
    except UnicodeDecodeError:
        name = ""
    if not NAME.fullmatch(name):
        raise BadArchive("It has a file with a name that no file of a pack has.")
    start = file.tell()
    if header + written != _local(name, size, crc) or start + size > length:
        raise BadArchive(OTHER_LAYOUT)
    found, digest, left = 0, hashlib.sha256(), size
    while left and (block := file.read(min(BLOCK, left))):
        found, left = zlib.crc32(block, found), left - len(block)
        digest.update(block)
    return Entry(
        name=name,
        size=size,
        crc=crc,
        start=start,
        sha256=digest.hexdigest(),
        intact=found == crc and not left,
    )


def _local(name: str, size: int, crc: int) -> bytes:
    fixed = _LOCAL.pack(b"PK\3\4", _VERSION, 0, 0, 0, _DAY, crc, size, size, len(name), 0)
    return fixed + name.encode("ascii")


def _directory(entries: Sequence[Entry], at: int) -> bytes:
    """What follows the last file, which ends at byte `at`."""
    rows = b"".join(_row(entry) for entry in entries)
    count = len(entries)
    return rows + _END.pack(b"PK\5\6", 0, 0, count, count, len(rows), at, 0)


def _row(entry: Entry) -> bytes:
    at = entry.start - _LOCAL.size - len(entry.name)
    fixed = _CENTRAL.pack(
        b"PK\1\2",
        _VERSION,
        _VERSION,
        0,
        0,
        0,
        _DAY,
        entry.crc,
        entry.size,
        entry.size,
        len(entry.name),
        0,
        0,
        0,
        0,
        0,
        at,
    )
    return fixed + entry.name.encode("ascii")


def _blocks(content: bytes | Path) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as file:
        while block := file.read(BLOCK):
            yield block
