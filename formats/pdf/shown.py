"""Formats whose pages are those of a PDF: the file itself, or one that is made from it once."""

from abc import abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from formats.base.format import Format
from formats.base.values import DocumentInfo, Limits, PageText, Pixels, Rect, SourceFile
from formats.pdf import reader


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAsPdf(Format):
    @abstractmethod
    def as_pdf(self, file: SourceFile, limits: Limits | None = None) -> Path:
        """The PDF that shows the file, made at the first call. Raises ExtractionError."""

    def read(
        self, file: SourceFile, *, first_page: int = 1, limits: Limits | None = None
    ) -> Generator[DocumentInfo | PageText]:
        return reader.read_pdf(self.as_pdf(file, limits), first_page=first_page, limits=limits)

    def render(
        self,
        file: SourceFile,
        number: int,
        width: int,
        *,
        part: Rect | None = None,
        limits: Limits | None = None,
    ) -> Pixels:
        return reader.page_pixels(self.as_pdf(file), number, width, part=part, limits=limits)

    def cut(self, file: SourceFile, numbers: Sequence[int]) -> bytes:
        return reader.cut_pages(self.as_pdf(file), numbers)

    def scan(self, file: SourceFile, limits: Limits | None = None) -> Path:
        return self.as_pdf(file, limits)
