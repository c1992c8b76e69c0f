"""Excel files of plain rows. What a document says stays words, whatever it looks like."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO

import xlsxwriter
from django.utils.translation import get_language_bidi

from localization.promises import StrOrPromise

LONGEST_CELL = 32_000  # characters, as Excel allows
LONGEST_NAME = 31  # of a sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """name, heads: in the language of now. heads: of the columns, which stay in sight. widths: of the
    columns, in characters. filtered: whether Excel offers to filter by each of them.
    """

    name: str
    heads: Sequence[StrOrPromise]
    rows: Iterable[Sequence[str]]
    widths: Sequence[int]
    filtered: bool = False


def workbook(sheets: Iterable[Sheet]) -> bytes:
    content = BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(content, options) as book:
        bold = book.add_format({"bold": True})
        wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        for each in sheets:
            sheet = book.add_worksheet(each.name[:LONGEST_NAME])
            if get_language_bidi():
                sheet.right_to_left()
            for column, width in enumerate(each.widths):
                sheet.set_column(column, column, width)
            for column, head in enumerate(each.heads):
                sheet.write_string(0, column, str(head), bold)
            sheet.freeze_panes(1, 0)
            for place, row in enumerate(each.rows, start=1):
                for column, cell in enumerate(row):
                    sheet.write_string(place, column, cell[:LONGEST_CELL], wrapped)
            if each.filtered:
                sheet.autofilter(0, 0, 0, len(each.heads) - 1)
    return content.getvalue()
