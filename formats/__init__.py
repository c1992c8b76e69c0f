"""Reading a document's text: one reader per kind of file, chosen by MIME type."""

from collections.abc import Generator
from pathlib import Path
from typing import Protocol

from formats.base import DocumentInfo, ExtractionError, Limits, PageText
from formats.pdf.reader import MIME as PDF
from formats.pdf.reader import read_pdf

__all__ = ["READERS", "DocumentInfo", "ExtractionError", "Limits", "PageText", "read"]


class Reader(Protocol):
    def __call__(
        self, path: Path, *, first_page: int, limits: Limits | None
    ) -> Generator[DocumentInfo | PageText]: ...


READERS: dict[str, Reader] = {PDF: read_pdf}


def read(
    path: Path, mime: str, limits: Limits | None = None, *, first_page: int = 1
) -> Generator[DocumentInfo | PageText]:
    """The document's facts, then its pages from `first_page` on. Raises ExtractionError; close it to stop
    early.
    """
    if mime not in READERS:
        raise ExtractionError("unsupported")
    return READERS[mime](path, first_page=first_page, limits=limits)
