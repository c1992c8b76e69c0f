"""What every place of files can do, and what may go wrong there."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO, ClassVar, Protocol, runtime_checkable

from exchange.connectors.sources.readers import Reader
from localization.stored import said

# Of addresses that name none.
USUAL_PORTS = {"http": 80, "https": 443, "imap": 143, "imaps": 993}
UNREACHABLE = "unreachable"  # the code of a failure
# Those of failures that may be of one file alone; after so many in a row they are of the place.
OF_SOME_FILES, MOST_NOT_GIVEN = ("busy", "packed", "slow", "timeout", UNREACHABLE), 5
LONGEST_PATH = 1_000  # characters; longer ones are left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file there. path: below the place, with slashes. version: another one when the file has changed, at
    most 200 characters. size: bytes, where the place tells. refusal: why it can't be had, though it is there.

    name: what people call it, where that is not its path. address: where they see it, if it is a web page.
    item: its number there, by which a file that only has the name of another is told from it, where it has
    one. remembered: what `fetch` has given when it was fetched before. readers: who may read it there; None
    where the place does not tell. is_withheld: the refusal is that some who can read the datasource are not
    among them.
    """

    path: str
    version: str
    size: int | None = None
    refusal: str = ""
    name: str = ""
    address: str = ""
    remembered: str = ""
    readers: frozenset[Reader] | None = None
    is_withheld: bool = False
    item: str = ""

    @property
    def called(self) -> PurePosixPath:
        return PurePosixPath(self.name or self.path)


class Source(Protocol):
    def try_it(self) -> None:
        """Whether it can be looked at, for a person who waits for it. Raises SourceError."""
        ...

    def entries(self) -> Iterator[Entry]:
        """All files there, in no order. Raises SourceError."""
        ...

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> str:
        """Write its bytes, at most so many; what to remember of it for the next time, where that helps.
        Raises SourceError, FileRefused, Unchanged.
        """
        ...

    def close(self) -> None: ...


@runtime_checkable
class TellingSource(Source, Protocol):
    """It says who may read a file."""

    def readers_now(self, entry: Entry) -> frozenset[Reader]:
        """Asked once more, as rights may have narrowed since the list, and then the file was written. Raises
        SourceError.
        """
        ...


class SourceError(Exception):
    """The place can't be looked at. Nothing is concluded from that about its files."""

    transient: ClassVar[bool] = False  # the next look is the next attempt

    def __init__(self, code: str, message: str, hint: str = "", retry_after: float = 0.0) -> None:
        """retry_after: seconds for which the place asks to be left alone."""
        self.code, self.message, self.hint, self.retry_after = code, message, hint, retry_after
        super().__init__(message)


class Unchanged(Exception):
    """The place says that the file is as it was when it was fetched before."""


class FileRefused(Exception):
    """One file can't be had; the others can."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class Withheld(FileRefused):
    """Some who can read the datasource can't read the file there."""


class NotGiven:
    """Counts the files in a row that a place does not give, though it may give others."""

    def __init__(self) -> None:
        self._count = 0

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Around the fetching of one: raises FileRefused instead of SourceError, but for one too many."""
        try:
            yield
        except SourceError as error:
            self._count += 1
            if error.code not in OF_SOME_FILES or self._count >= MOST_NOT_GIVEN:
                raise
            raise FileRefused(error.message) from None
        except (FileRefused, Unchanged):
            self._count = 0
            raise
        self._count = 0


class FileGone(FileRefused):
    """The place says of a file that was listed that it is there no more."""


def parsed_size(text: str) -> int | None:
    """What a server says in digits; one that no file has is larger than all that is taken."""
    return int(text[:18]) if text.isascii() and text.isdecimal() else None


def too_large(most: int) -> FileRefused:
    return FileRefused(said("It is larger than the {n} MB that a file may have here.", n=most // 2**20))


def keep(blocks: Iterable[bytes], file: BinaryIO, most: int) -> None:
    """As they come, so many bytes at most, whatever was told of its size. Raises FileRefused."""
    size = 0
    for block in blocks:
        size += len(block)
        if size > most:
            raise too_large(most)
        file.write(block)
