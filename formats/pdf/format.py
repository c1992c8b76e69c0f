"""PDF as a format."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from formats.base.format import Format
from formats.base.values import DocumentInfo, Limits, PageText, Pixels, Rect, SourceFile
from formats.pdf import reader

MAGIC = b"%PDF-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdf(Format):
    def sniff(self, start: bytes) -> bool:
        """Some programs write something else before the header; readers of PDF put up with that."""
        return MAGIC in start[: reader.HEADER_WITHIN]

    def read(
        self, file: SourceFile, *, first_page: int = 1, limits: Limits | None = None
    ) -> Generator[DocumentInfo | PageText]:
        return reader.read_pdf(file.path, first_page=first_page, limits=limits)

    def render(
        self,
        file: SourceFile,
        number: int,
        width: int,
        *,
        part: Rect | None = None,
        limits: Limits | None = None,
    ) -> Pixels:
        return reader.page_pixels(file.path, number, width, part=part, limits=limits)

    def cut(self, file: SourceFile, numbers: Sequence[int]) -> bytes:
        return reader.cut_pages(file.path, numbers)

    def scan(self, file: SourceFile, limits: Limits | None = None) -> Path:
        return file.path

    def unlock(self, path: Path, password: str) -> bytes:
        return reader.without_password(path, password)


PDF = Pdf(label="PDF", mime="application/pdf", suffixes=(".pdf",), magic=MAGIC, takes_password=True)
