"""A report as CSV and as a workbook: a row a requirement, and a row a quote. No cell is a formula."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from desks.compliance.reports.catalogue import DRAFT, Report
from desks.compliance.reports.lines import Line, Quoted, written
from localization.lists import in_quotes
from text.tables.spreadsheets import inert
from text.tables.workbooks import Sheet, workbook

HEADS = (
    pgettext_lazy("a column", "Reference"),
    pgettext_lazy("a column", "Domain"),
    pgettext_lazy("a column", "Point"),
    pgettext_lazy("a column", "Result"),
    gettext_lazy("Found by the last check"),
    gettext_lazy("A later check says"),
    pgettext_lazy("a column", "Broken down"),
    pgettext_lazy("a column", "Evidence"),
    gettext_lazy(DRAFT),
    pgettext_lazy("a column", "Note"),
    pgettext_lazy("a column", "Reviewed by"),
    pgettext_lazy("a column", "Reviewed"),
    pgettext_lazy("a column", "Reason"),
    pgettext_lazy("a column", "Assigned to"),
)
QUOTE_HEADS = (
    pgettext_lazy("a column", "Reference"),
    pgettext_lazy("a column", "Part"),
    pgettext_lazy("a column", "Document"),
    pgettext_lazy("a column", "Page"),
    pgettext_lazy("a column", "Quote"),
    pgettext_lazy("a column", "Checked"),
    pgettext_lazy("a column", "Note"),
    gettext_lazy("SHA-256 of the file"),
)


def as_csv(report: Report) -> str:
    text = StringIO()
    rows = csv.writer(text)
    rows.writerow(map(str, HEADS))
    rows.writerows([inert(cell) for cell in _cells(line)] for line in report.lines)
    return text.getvalue()


def as_xlsx(report: Report) -> bytes:
    requirements = Sheet(
        name=_("Points"),
        heads=HEADS,
        rows=_inert(_cells(line) for line in report.lines),
        widths=(10, 18, 60, 12, 12, 12, 50, 60, 50),
    )
    quotes = Sheet(
        name=_("Quotes"),
        heads=QUOTE_HEADS,
        rows=_inert(_quotes(report.lines)),
        widths=(10, 6, 34, 6, 80, 24, 30, 66),
    )
    documents = Sheet(
        name=_("Documents"), heads=(_("Document"), "SHA-256"), rows=_inert(report.documents), widths=(50, 66)
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
        written(line.reviewed),
        line.review_reason,
        line.assigned_to,
    ]


def _quote(quoted: Quoted) -> str:
    told = _("{quote} ({title}, page {page}; {remark})")
    return told.format(
        quote=in_quotes(quoted.quote), title=quoted.title, page=quoted.page, remark=quoted.says
    )


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
