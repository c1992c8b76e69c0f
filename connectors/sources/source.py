"""What every place of files can do, and what may go wrong there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, ClassVar, Protocol

# Of addresses that name none.
USUAL_PORTS = {"http": 80, "https": 443, "imap": 143, "imaps": 993}
LONGEST_PATH = 1_000  # characters; longer ones are left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file there. path: below the place, with slashes. version: another one when the file has changed, at
    most 200 characters. size: bytes, where the place tells. refusal: why it can't be had, though it is there.
    """

    path: str
    version: str
    size: int | None = None
    refusal: str = ""


class Source(Protocol):
    def entries(self) -> Iterator[Entry]:
        """All files there, in no order. Raises SourceError."""
        ...

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> None:
        """Write its bytes, at most so many. Raises SourceError, FileRefused."""
        ...

    def close(self) -> None: ...


class SourceError(Exception):
    """The place can't be looked at. Nothing is concluded from that about its files."""

    transient: ClassVar[bool] = False  # the next look is the next attempt

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        self.code, self.message, self.hint = code, message, hint
        super().__init__(message)


class FileRefused(Exception):
    """One file can't be had; the others can."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


def told_size(text: str) -> int | None:
    """What a server says in digits; one that no file has is larger than all that is taken."""
    return int(text[:18]) if text.isascii() and text.isdecimal() else None


def too_large(most: int) -> FileRefused:
    return FileRefused(f"It is larger than the {most // 2**20:,} MB that a file may have here.")
