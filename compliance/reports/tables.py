"""A report as CSV and as a workbook: a row a requirement, and a row a quote. No cell is a formula."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from compliance.reports.catalogue import DRAFT, Report
from compliance.reports.lines import Line, Quoted
from text.tables.spreadsheets import inert
from text.tables.workbooks import Sheet, workbook

HEADS = (
    "Reference",
    "Domain",
    "Requirement",
    "Result",
    "Found by the last check",
    "A later check says",
    "Broken down",
    "Evidence",
    DRAFT,
    "Note",
    "Reviewed by",
    "Reviewed",
    "Reason",
    "Assigned to",
)
QUOTE_HEADS = ("Reference", "Part", "Document", "Page", "Quote", "Checked", "Note", "SHA-256 of the file")


def as_csv(report: Report) -> str:
    text = StringIO()
    rows = csv.writer(text)
    rows.writerow(HEADS)
    rows.writerows([inert(cell) for cell in _cells(line)] for line in report.lines)
    return text.getvalue()


def as_xlsx(report: Report) -> bytes:
    requirements = Sheet(
        name="Requirements",
        heads=HEADS,
        rows=_inert(_cells(line) for line in report.lines),
        widths=(10, 18, 60, 12, 12, 12, 50, 60, 50),
    )
    quotes = Sheet(
        name="Quotes",
        heads=QUOTE_HEADS,
        rows=_inert(_quotes(report.lines)),
        widths=(10, 6, 34, 6, 80, 24, 30, 66),
    )
    documents = Sheet(
        name="Documents", heads=("Document", "SHA-256"), rows=_inert(report.documents), widths=(50, 66)
    )
    return workbook((requirements, quotes, documents))


def _inert(rows: Iterable[Sequence[str]]) -> Iterator[list[str]]:
    return ([inert(cell) for cell in row] for row in rows)


def _cells(line: Line) -> list[str]:
    return [
        line.ref,
        line.domain,
        "\n".join(filter(None, (line.title, line.text))),
        line.verdict,
        line.found,
        line.difference,
        "\n".join(line.broken_down),
        "\n".join(map(_quote, line.evidence)),
        line.draft,
        line.reason,
        line.reviewed_by,
        line.reviewed,
        line.review_reason,
        line.assigned_to,
    ]


def _quote(quoted: Quoted) -> str:
    return f"“{quoted.quote}” ({quoted.title}, p. {quoted.page}; {quoted.says})"


def _quotes(lines: Sequence[Line]) -> Iterator[list[str]]:
    for line in lines:
        for each in line.evidence:
            yield [
                line.ref,
                str(each.part),
                each.title,
                ", ".join(map(str, each.pages)),
                each.quote,
                each.says,
                each.reason,
                each.sha256,
            ]
