"""A report as CSV and as a workbook: a row a requirement, and a row a quote. No cell is a formula."""

import csv
from collections.abc import Iterator, Sequence
from io import BytesIO, StringIO

import xlsxwriter

from compliance.reports.catalogue import DRAFT, Report
from compliance.reports.lines import Line, Quoted
from text.spreadsheets import inert

HEADS = (
    "Reference", "Domain", "Requirement", "Result", "Found by the last check", "A later check says",
    "Broken down", "Evidence", DRAFT, "Note", "Reviewed by", "Reviewed", "Reason", "Assigned to",
)  # fmt: skip
QUOTE_HEADS = ("Reference", "Part", "Document", "Page", "Quote", "Checked", "Note", "SHA-256 of the file")
LONGEST_CELL = 32_000  # characters, as Excel allows


def as_csv(report: Report) -> str:
    text = StringIO()
    rows = csv.writer(text)
    rows.writerow(HEADS)
    rows.writerows([inert(cell) for cell in _cells(line)] for line in report.lines)
    return text.getvalue()


def as_xlsx(report: Report) -> bytes:
    content = BytesIO()
    with xlsxwriter.Workbook(content, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        bold = book.add_format({"bold": True})
        wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        sheets: Sequence[tuple[str, Sequence[str], Iterator[Sequence[str]], Sequence[int]]] = (
            (
                "Requirements",
                HEADS,
                (_cells(line) for line in report.lines),
                (10, 18, 60, 12, 12, 12, 50, 60, 50),
            ),
            ("Quotes", QUOTE_HEADS, _quotes(report.lines), (10, 6, 34, 6, 80, 24, 30, 66)),
            ("Documents", ("Document", "SHA-256"), iter(report.documents), (50, 66)),
        )
        for name, heads, rows, widths in sheets:
            sheet = book.add_worksheet(name)
            for column, width in enumerate(widths):
                sheet.set_column(column, column, width)
            for column, head in enumerate(heads):
                sheet.write_string(0, column, head, bold)
            sheet.freeze_panes(1, 0)
            for place, row in enumerate(rows, start=1):
                for column, cell in enumerate(row):
                    sheet.write_string(place, column, inert(cell)[:LONGEST_CELL], wrapped)
    return content.getvalue()


def _cells(line: Line) -> list[str]:
    parts = [f"{part.verdict}: {part.text}. {part.statement or part.reason}".strip() for part in line.parts]
    return [
        line.ref, line.domain, "\n".join(filter(None, (line.title, line.text))), line.verdict, line.found,
        line.difference, "\n".join(parts), "\n".join(map(_quote, line.evidence)), line.draft, line.reason,
        line.reviewed_by, line.reviewed, line.review_reason, line.assigned_to,
    ]  # fmt: skip


def _quote(quoted: Quoted) -> str:
    return f"“{quoted.quote}” ({quoted.title}, p. {quoted.page}; {quoted.says})"


def _quotes(lines: Sequence[Line]) -> Iterator[list[str]]:
    for line in lines:
        for each in line.evidence:
            yield [
                line.ref, str(each.part), each.title, ", ".join(map(str, each.pages)), each.quote, each.says,
                each.reason, each.sha256,
            ]  # fmt: skip
