"""Which kind of Office file or archive a sample of its bytes is of (formats.registry.sample_of). Pure."""

import re

ZIP = b"PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # files of Office of before 2007, and those with a password
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
# The record with which a workbook of before 2007 begins, of Excel 97 and of Excel 5; a later one says that it
# has a password.
WORKBOOK_BEGINS = (b"\x09\x08\x10\x00\x00\x06\x05\x00", b"\x09\x08\x08\x00\x00\x05\x05\x00")
HAS_PASSWORD, ENDS = 0x002F, 0x000A
MOST_RECORDS = 100  # it is among the first
SECTOR = 512  # bytes, at a multiple of which streams begin
WORD_BEGINS, WORD_VERSIONS = b"\xec\xa5", (0x00C1, 0x00D9, 0x0101, 0x010C, 0x0112)
_ENCRYPTED_SLIDES = re.compile(rb"\x00\x00\xf6\x0f.{4}\x14\x00\x00\x00\xdf\xc4\xd1\xf3", re.DOTALL)


def is_package(sample: bytes, *parts: bytes) -> bool:
    """Whether it is an archive that has one of these parts."""
    return sample.startswith(ZIP) and any(part in sample for part in parts)


def is_encrypted_package(sample: bytes) -> bool:
    return sample.startswith(OLE) and ENCRYPTED in sample


def is_encrypted_workbook(content: bytes) -> bool:
    """Whether it is a workbook of before 2007 with a password. content: the whole file."""
    place = max(map(content.find, WORKBOOK_BEGINS))
    if place < 0 or not content.startswith(OLE):
        return False
    for _ in range(MOST_RECORDS):
        kind, size = (int.from_bytes(content[at : at + 2], "little") for at in (place, place + 2))
        if kind in (HAS_PASSWORD, ENDS):
            return kind == HAS_PASSWORD
        place += 4 + size
    return False


def is_encrypted_text(content: bytes) -> bool:
    """Whether it is a Word file of before 2007 with a password. content: the whole file."""
    for place in range(SECTOR, len(content), SECTOR):
        if content.startswith(WORD_BEGINS, place):
            version, flags = (
                int.from_bytes(content[at : at + 2], "little") for at in (place + 2, place + 10)
            )
            if version in WORD_VERSIONS:
                return bool(flags & 0x0100)
    return False


def is_encrypted_presentation(content: bytes) -> bool:
    """Whether it is a PowerPoint file of before 2007 with a password. content: the whole file."""
    return bool(_ENCRYPTED_SLIDES.search(content))


def has_stream(sample: bytes, *names: str) -> bool:
    """Whether it is an OLE file with a stream of one of these names."""
    ended = (name.encode("utf-16-le") + b"\0\0" for name in names)
    return sample.startswith(OLE) and any(name in sample for name in ended)
