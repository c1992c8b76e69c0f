"""Frameworks in the first sheet of a workbook. Pure."""

from datetime import date
from pathlib import Path
from typing import Any

import python_calamine
from python_calamine import CalamineWorkbook

from desks.compliance.frameworks.reading.draft import MOST_REQUIREMENTS, Draft, no_framework
from desks.compliance.frameworks.reading.tables import read_rows
from formats.embedded.archive import Archive

UNREADABLE = (python_calamine.CalamineError, python_calamine.ZipError, python_calamine.XmlError)
MOST_COLUMNS = 200


def read(path: Path) -> Draft:
    """Raises ExtractionError."""
    Archive(path)  # refuses bombs
    try:
        sheet = CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0)
        if sheet.height > 2 * MOST_REQUIREMENTS or sheet.width > MOST_COLUMNS:
            raise no_framework(
                "The first sheet has {rows} rows and {columns} columns; {most} points are allowed.",
                rows=sheet.height,
                columns=sheet.width,
                most=MOST_REQUIREMENTS,
            )
        rows = sheet.to_python(skip_empty_area=False)
    except (*UNREADABLE, OSError, ValueError, IndexError):
        raise no_framework("This file is not a workbook that SVQ can read.") from None
    return read_rows("Excel", [[_shown(cell) for cell in row] for row in rows])


def _shown(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if isinstance(value, date) else str(value)
