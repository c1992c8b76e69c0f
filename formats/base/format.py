"""The shape of a format: how its files are recognised, read, drawn and cut."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from formats.base.errors import ExtractionError
from formats.base.values import AttachedFile, DocumentInfo, Limits, PageText, Pixels, Rect, SourceFile
from localization.sentences import worded


@dataclass(frozen=True, slots=True, kw_only=True)
class Format(ABC):
    """One kind of file. Its methods may get hostile files, and raise ExtractionError.

    label: its name within a sentence, as in "... files". magic: what its files begin with, where they all
    begin alike. mime: what a document of it is stored as. suffixes: of its files' names, lower case with the
    dot, the usual one first. takes_password: whether it can be protected. is_typeset: whether its pages are
    made here, as the file has none of its own. names_pages: whether the file itself calls them something, as
    “Slide 7”; else a place is told by the headings over it. is_read: whether they can be read at all; others
    are known only to be refused with what to do. most_files: of those in a file that become documents.
    """

    label: str
    mime: str
    suffixes: tuple[str, ...]
    magic: bytes | None = None
    takes_password: bool = False
    is_typeset: bool = False
    names_pages: bool = False
    is_read: bool = True
    most_files: int = 50

    @abstractmethod
    def sniff(self, start: bytes) -> bool:
        """Whether a file that begins with these bytes may be of this format."""

    @abstractmethod
    def read(
        self, file: SourceFile, *, first_page: int = 1, limits: Limits | None = None
    ) -> Generator[DocumentInfo | PageText]:
        """The file's facts, then its pages from `first_page` on. Close it to stop early."""

    @abstractmethod
    def render(
        self,
        file: SourceFile,
        number: int,
        width: int,
        *,
        part: Rect | None = None,
        limits: Limits | None = None,
    ) -> Pixels:
        """Page `number` (from 1), or that part of it, about `width` pixels wide."""

    @abstractmethod
    def cut(self, file: SourceFile, numbers: Sequence[int]) -> bytes:
        """A PDF of just the pages `numbers` (from 1), in that order."""

    def scan(self, file: SourceFile, limits: Limits | None = None) -> Path | None:
        """A PDF with the file's pages, which OCR may read; None where there is nothing to be read by it."""
        return None

    def attachments(
        self, file: SourceFile, *, most: int, largest: int, limits: Limits | None = None
    ) -> Generator[AttachedFile]:
        """The first `most` files that are attached, of those of at most `largest` bytes the content."""
        yield from ()

    def unlock(self, path: Path, password: str) -> bytes:
        """The file without its protection; "encrypted" is raised when the password is wrong."""
        raise ExtractionError(
            "unsupported", worded("Files of the kind {kind} have no password.", kind=self.label)
        )
