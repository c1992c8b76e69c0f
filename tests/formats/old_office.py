"""Files in the formats of before 2007 (OLE files), plain or with a password (RC4, of slides CryptoAPI)."""

import hashlib
import io
import struct
from collections.abc import Iterator, Mapping, Sequence

from msoffcrypto.method.rc4 import DocumentRC4
from msoffcrypto.method.rc4_cryptoapi import DocumentRC4CryptoAPI

SECTOR = 512
FREE, END, OF_FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
BOF, FILEPASS, BOUNDSHEET, EOF, NUMBER, LABEL = 0x0809, 0x002F, 0x0085, 0x000A, 0x0203, 0x0204
DOCUMENT, TEXT, CURRENT_USER, USER_EDIT, DIRECTORY, SESSION = 0x03E8, 0x0FA8, 0x0FF6, 0x0FF5, 0x1772, 0x2F14
KEY_BITS = 128
SALT, VERIFIER = bytes(range(16)), bytes(range(16, 32))
Row = tuple[str, float]


def xls(rows: Sequence[Row], password: str = "") -> bytes:
    """Of one sheet; long enough that its stream has sectors of its own."""
    records = list(_records(rows, password))
    stream = b"".join(struct.pack("<HH", kind, len(body)) + body for kind, body in records)
    return _ole({"Workbook": _encrypted(stream, records, password) if password else stream})


def doc(text: str, password: str = "") -> bytes:
    """As far as a password goes: what describes the file, and its text."""
    flags, keyed = (0x0300, 52) if password else (0x0200, 0)  # encrypted; its table is 1Table
    described = struct.pack("<HHHHHHHI", 0xA5EC, 0xC1, 0, 0, 0, flags, 0xC1, keyed).ljust(68, b"\0")
    stream = described + text.encode("latin-1").ljust(6000)
    table = b"\0" * 5000
    if password:
        stream = described + _sealed(stream, password, 0x200)[68:]
        table = _header(password) + _sealed(table, password, 0x200)[52:]
    return _ole({"WordDocument": stream, "1Table": table})


def ppt(text: str, password: str) -> bytes:
    """As far as a password goes: the text, what it is sealed with, and where both are."""
    said = _record(DOCUMENT, _record(TEXT, text.encode("latin-1").ljust(6000)), version=15)
    sealed = _sealed_slides(said, password, block=1)
    session = _record(SESSION, struct.pack("<HH", 2, 2) + _slides_header(password), version=15)
    directory_at = len(sealed) + len(session)
    directory = _record(DIRECTORY, struct.pack("<III", 2 << 20 | 1, 0, len(sealed)))
    edit = struct.pack("<IHBBIIIIHHI", 0, 0, 0, 3, 0, directory_at, 1, 3, 1, 0, 2)
    user = struct.pack("<IIIHHBBH", 20, 0xF3D1C4DF, directory_at + len(directory), 1400, 0x03F4, 3, 0, 0)
    name = b"a" * 1400 + struct.pack("<I", 8) + "a".encode("utf-16-le") * 1400
    stream = sealed + session + directory + _record(USER_EDIT, edit)
    return _ole({"Current User": _record(CURRENT_USER, user + name), "PowerPoint Document": stream})


def _record(kind: int, body: bytes, *, version: int = 0) -> bytes:
    return struct.pack("<HHI", version, kind, len(body)) + body


def _slides_header(password: str) -> bytes:
    how = struct.pack("<8I", 4, 0, 0x6801, 0x8004, KEY_BITS, 1, 0, 0) + "CSP\0".encode("utf-16-le")
    both = _sealed_slides(VERIFIER + hashlib.sha1(VERIFIER).digest(), password, block=0)
    sealed = struct.pack("<I", len(SALT)) + SALT + both[:16] + struct.pack("<I", 20) + both[16:]
    return struct.pack("<II", 4, len(how)) + how + sealed


def _sealed_slides(content: bytes, password: str, *, block: int) -> bytes:
    """The same again opens it."""
    opened = DocumentRC4CryptoAPI.decrypt(
        password, SALT, KEY_BITS, io.BytesIO(content), blocksize=len(content), block=block
    )
    return bytes(opened.read())


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
    return struct.pack("<H", 1) + _header(password)


def _header(password: str) -> bytes:
    """By which a password is verified."""
    both = VERIFIER + hashlib.md5(VERIFIER).digest()
    return struct.pack("<HH", 1, 1) + SALT + _sealed(both, password, 0x200)


def _sealed(content: bytes, password: str, block: int) -> bytes:
    """The same again opens it."""
    return bytes(DocumentRC4.decrypt(password, SALT, io.BytesIO(content), blocksize=block).read())


def _encrypted(stream: bytes, records: Sequence[tuple[int, bytes]], password: str) -> bytes:
    """The heads of records stay as they are, and what tells where things are."""
    sealed = bytearray(_sealed(stream, password, 0x400))
    place = 0
    for kind, body in records:
        plain = 4 + (len(body) if kind in (BOF, FILEPASS) else 4 if kind == BOUNDSHEET else 0)
        sealed[place : place + plain] = stream[place : place + plain]
        place += 4 + len(body)
    return bytes(sealed)


def _ole(streams: Mapping[str, bytes]) -> bytes:
    """A file with these streams: the table of sectors, the directory, the streams one after the other."""
    table, named, body = [OF_FAT, END], b"", b""
    for place, (name, stream) in enumerate(streams.items(), start=1):
        assert len(stream) >= 4096
        count = -(-len(stream) // SECTOR)
        after = place + 1 if place < len(streams) else FREE
        named += _entry(name, 2, len(table), len(stream), right=after)
        table += [*range(len(table) + 1, len(table) + count), END]
        body += stream.ljust(count * SECTOR, b"\0")
    assert len(table) <= SECTOR // 4
    entries = (_entry("Root Entry", 5, END, 0, child=1) + named).ljust(SECTOR, b"\0")
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIIII",
        bytes.fromhex("d0cf11e0a1b11ae1"),
        0x3E,
        3,
        0xFFFE,
        9,
        6,
        0,
        1,
        1,
        0,
        4096,
        END,
        0,
        END,
        0,
        0,
    )
    header += struct.pack("<108I", *[FREE] * 108)
    return header + struct.pack("<128I", *table, *[FREE] * (SECTOR // 4 - len(table))) + entries + body


def _entry(name: str, kind: int, start: int, size: int, *, child: int = FREE, right: int = FREE) -> bytes:
    encoded = (name + "\0").encode("utf-16-le")
    return struct.pack("<64sHBBIII36xIII", encoded, len(encoded), kind, 1, FREE, right, child, start, size, 0)
