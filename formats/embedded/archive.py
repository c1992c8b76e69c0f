"""A zip archive whose parts are read by name, after a look at how large it would become."""

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path

from formats.base.errors import ExtractionError, is_of_the_system, too_large
from formats.base.values import MEGABYTE

MOST_PARTS = 20_000
MOST_BYTES = 1024 * MEGABYTE  # of all parts
LARGEST_PART = 64 * MEGABYTE
SUSPICIOUS_RATIO, SUSPICIOUS_BYTES = 200, 64 * MEGABYTE  # text shrinks to a tenth or a twentieth
# What is raised for an archive, or a part of one, that is damaged or packed in a way that is not known.
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    OSError,
    ValueError,
)


class Archive:
    """Raises ExtractionError for what is no archive, has a password, or is a bomb."""

    def __init__(self, source: Path | bytes) -> None:
        with _damage_as_extraction_error():
            self._zip = zipfile.ZipFile(BytesIO(source) if isinstance(source, bytes) else source)
        parts = self._zip.infolist()
        size = sum(part.file_size for part in parts)
        packed = sum(part.compress_size for part in parts)
        if len(parts) > MOST_PARTS or size > MOST_BYTES:
            raise too_large("This file unpacks into {n} MB, too many to read.", n=round(size / MEGABYTE))
        if size > SUSPICIOUS_BYTES and size > SUSPICIOUS_RATIO * max(packed, 1):
            raise too_large(
                "This file unpacks into {n} times its size, as bombs do.", n=size // max(packed, 1)
            )
        self._parts = {part.filename.lstrip("/").lower(): part for part in parts}

    def names(self) -> list[str]:
        """In lower case, in which parts are found."""
        return list(self._parts)

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._parts

    def read_if_whole(self, name: str) -> bytes | None:
        """None for a part that is damaged, too large or not there: of a picture, which harms no text."""
        with suppress(ExtractionError, KeyError):
            return self.read(name)
        return None

    def read(self, name: str, most: int = LARGEST_PART) -> bytes:
        """A part's content, at most so many bytes of it. Raises ExtractionError, KeyError."""
        part = self._parts[name.lower()]
        if part.flag_bits & 1:
            raise ExtractionError("encrypted")
        with _damage_as_extraction_error(), self._zip.open(part) as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise too_large("A part of this file has more than {n} MB.", n=most // MEGABYTE)
        return content


@contextmanager
def _damage_as_extraction_error() -> Iterator[None]:
    """Raises ExtractionError for what is damaged; what the system couldn't do goes on as it is."""
    try:
        yield
    except UNREADABLE as error:
        if is_of_the_system(error):
            raise
        raise ExtractionError("corrupt") from None
