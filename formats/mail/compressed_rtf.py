"""The body of a message of Outlook that is kept as compressed RTF ([MS-OXRTFCP]). In the sandbox."""

import struct

from formats.base.errors import ExtractionError, too_large
from formats.base.values import MEGABYTE

LARGEST = 64 * MEGABYTE  # of RTF
COMPRESSED, PLAIN = b"LZFu", b"MELA"
WINDOW = 4096  # bytes that may be repeated
# What each window begins with: words that are in almost every file.
KNOWN = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor "
    rb"MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_HEADER = struct.Struct("<II4sI")  # sizes, how it is compressed, checksum


def decompressed(content: bytes) -> bytes:
    """As far as it can be read. Raises ExtractionError for what is no compressed RTF, or too large."""
    if len(content) < _HEADER.size:
        raise ExtractionError("corrupt")
    _, size, how, _ = _HEADER.unpack_from(content)
    if size > LARGEST:
        raise too_large("The text of this message has more than {n} MB.", n=LARGEST // MEGABYTE)
    if how == PLAIN:
        return content[_HEADER.size :][:size]
    if how != COMPRESSED:
        raise ExtractionError("corrupt")
    return _expanded(content, size)


def _expanded(content: bytes, size: int) -> bytes:
    """Eight tokens follow each byte of flags: a letter, or a place in the window and a length."""
    written = bytearray(KNOWN)
    end = len(KNOWN) + size
    place = _HEADER.size
    while place < len(content) and len(written) < end:
        flags = content[place]
        place += 1
        for bit in range(8):
            if not flags >> bit & 1:
                written += content[place : place + 1]
                place += 1
                continue
            if place + 1 >= len(content):
                return bytes(written[len(KNOWN) : end])
            offset, length = divmod(content[place] << 8 | content[place + 1], 16)
            place += 2
            back = (len(written) - offset) % WINDOW
            if back == 0 or back > len(written):  # the end, or nothing that was written
                return bytes(written[len(KNOWN) : end])
            for _ in range(length + 2):
                written.append(written[-back])
    return bytes(written[len(KNOWN) : end])
