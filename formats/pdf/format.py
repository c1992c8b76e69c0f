"""PDF as a format."""

from dataclasses import dataclass
from pathlib import Path

from formats.base.values import Limits, SourceFile
from formats.pdf import reader
from formats.pdf.shown import ShownAsPdf

MAGIC = b"%PDF-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdf(ShownAsPdf):
    def sniff(self, start: bytes) -> bool:
        """Some programs write something else before the header; readers of PDF put up with that."""
        return MAGIC in start[: reader.HEADER_WITHIN]

    def as_pdf(self, file: SourceFile, limits: Limits | None = None) -> Path:
        return file.path

    def unlock(self, path: Path, password: str) -> bytes:
        return reader.without_password(path, password)


PDF = Pdf(label="PDF", mime="application/pdf", suffixes=(".pdf",), magic=MAGIC, takes_password=True)
