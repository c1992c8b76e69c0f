"""A report as a PDF."""

from pathlib import Path

from django.core.exceptions import ValidationError

from compliance.reports.catalogue import DRAFT, Report
from formats.rendition.report import NotSet, report_pdf

TEMPLATE = Path(__file__).with_name("report.typ")
SECONDS = 120


def as_pdf(report: Report) -> bytes:
    """Raises ValidationError when it takes too long."""
    told = {
        "title": report.title,
        "told": report.told,
        "sums": report.sums,
        "draft": DRAFT,
        "documents": report.documents,
        "lines": [
            line.as_json()
            | {"broken_down": line.broken_down, "quotes": [each.on_one_line for each in line.evidence]}
            for line in report.lines
        ],
    }
    try:
        return report_pdf(TEMPLATE, told, seconds=SECONDS)
    except NotSet as error:
        raise ValidationError(
            "The PDF could not be made. Choose a part of the framework, or Word."
        ) from error
