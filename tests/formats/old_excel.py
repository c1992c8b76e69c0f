"""A workbook in the format of before 2007 (BIFF8 in an OLE file), plain or with a password (RC4)."""

import hashlib
import io
import struct
from collections.abc import Iterator, Sequence

from msoffcrypto.method.rc4 import DocumentRC4

SECTOR = 512
FREE, END, OF_FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
BOF, FILEPASS, BOUNDSHEET, EOF, NUMBER, LABEL = 0x0809, 0x002F, 0x0085, 0x000A, 0x0203, 0x0204
SALT, VERIFIER = bytes(range(16)), bytes(range(16, 32))
Row = tuple[str, float]


def xls(rows: Sequence[Row], password: str = "") -> bytes:
    """Of one sheet; long enough that its stream has sectors of its own."""
    records = list(_records(rows, password))
    stream = b"".join(struct.pack("<HH", kind, len(body)) + body for kind, body in records)
    return _ole(_encrypted(stream, records, password) if password else stream)


def _records(rows: Sequence[Row], password: str) -> Iterator[tuple[int, bytes]]:
    begin = struct.pack("<HHHHII", 0x0600, 0x0005, 0, 1997, 0, 6)
    globals_ = [(BOF, begin)] + ([(FILEPASS, _filepass(password))] if password else [])
    sheet_at = sum(4 + len(body) for _, body in globals_) + 4 + 13 + 4
    yield from globals_
    yield BOUNDSHEET, struct.pack("<IHBB", sheet_at, 0, 5, 0) + b"Rents"
    yield EOF, b""
    yield BOF, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 1997, 0, 6)
    for place, (name, value) in enumerate(rows):
        yield LABEL, struct.pack("<HHHHB", place, 0, 0, len(name), 0) + name.encode("latin-1")
        yield NUMBER, struct.pack("<HHHd", place, 1, 0, value)
    yield EOF, b""


def _filepass(password: str) -> bytes:
    both = VERIFIER + hashlib.md5(VERIFIER).digest()
    sealed = DocumentRC4.decrypt(password, SALT, io.BytesIO(both)).read()
    return struct.pack("<HHH", 1, 1, 1) + SALT + sealed


def _encrypted(stream: bytes, records: Sequence[tuple[int, bytes]], password: str) -> bytes:
    """The heads of records stay as they are, and what tells where things are."""
    sealed = bytearray(DocumentRC4.decrypt(password, SALT, io.BytesIO(stream), blocksize=0x400).read())
    place = 0
    for kind, body in records:
        plain = 4 + (len(body) if kind in (BOF, FILEPASS) else 4 if kind == BOUNDSHEET else 0)
        sealed[place : place + plain] = stream[place : place + plain]
        place += 4 + len(body)
    return bytes(sealed)


def _ole(stream: bytes) -> bytes:
    """A file with one stream, named Workbook: the table of sectors, the directory, the stream."""
    assert len(stream) >= 4096
    count = -(-len(stream) // SECTOR)
    assert count + 2 <= SECTOR // 4
    table = [OF_FAT, END, *range(3, count + 2), END]
    entries = _entry("Root Entry", 5, END, 0, child=1) + _entry("Workbook", 2, 2, len(stream))
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIIII", bytes.fromhex("d0cf11e0a1b11ae1"), 0x3E, 3, 0xFFFE, 9, 6,
        0, 1, 1, 0, 4096, END, 0, END, 0, 0,
    )  # fmt: skip
    header += struct.pack("<109I", 0, *[FREE] * 108)[4:]
    table += [FREE] * (SECTOR // 4 - len(table))
    return b"".join(
        (
            header,
            struct.pack("<128I", *table),
            entries.ljust(SECTOR, b"\0"),
            stream.ljust(count * SECTOR, b"\0"),
        )
    )


def _entry(name: str, kind: int, start: int, size: int, child: int = FREE) -> bytes:
    encoded = (name + "\0").encode("utf-16-le")
    return struct.pack("<64sHBBIII36xIII", encoded, len(encoded), kind, 1, FREE, FREE, child, start, size, 0)
