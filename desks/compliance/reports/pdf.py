"""A report as a PDF."""

from pathlib import Path

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from desks.compliance.models import Verdict
from desks.compliance.reports.catalogue import DRAFT, Report
from formats.rendition.report import NotSet, report_pdf

TEMPLATE = Path(__file__).with_name("report.typ")
SECONDS = 120


def as_pdf(report: Report) -> bytes:
    """Raises ValidationError when it takes too long."""
    tones = {str(each.label): each.value for each in Verdict}
    told = {
        "title": report.title,
        "told": report.summary,
        "sums": report.sums,
        "draft": _(DRAFT),
        "heading": _("Documents"),
        "documents": report.documents,
        "lines": [
            line.as_json()
            | {
                "tone": tones.get(line.verdict, ""),
                "remarks": line.remarks,
                "broken_down": line.broken_down,
                "quotes": [[each.on_one_line, each.told] for each in line.evidence],
            }
            for line in report.lines
        ],
    }
    try:
        return report_pdf(TEMPLATE, told, seconds=SECONDS)
    except NotSet as error:
        raise ValidationError(_("The PDF could not be made. Choose a part of the list, or Word.")) from error
