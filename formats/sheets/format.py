"""Workbooks as a format."""

from dataclasses import dataclass
from pathlib import Path

from formats.embedded.recognition import has_stream, is_encrypted_package, is_package
from formats.office_password.unlocking import without_password
from formats.rendition.format import BlockFormat

ODS = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheets(BlockFormat):
    def sniff(self, start: bytes) -> bool:
        """Those of Excel before 2007 and of LibreOffice too."""
        return (
            is_package(start, b"xl/workbook", b"xl/worksheets", ODS)
            or has_stream(start, "Workbook", "Book")
            or is_encrypted_package(start)
        )

    def unlock(self, path: Path, password: str) -> bytes:
        return without_password(path, password)


SHEETS = Sheets(
    label="Excel",
    mime="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    suffixes=(".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"),
    takes_password=True,
    names_pages=True,
    program=Path(__file__).with_name("child_process.py"),
)
