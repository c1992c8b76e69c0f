"""A report in each form that it is kept in."""

from django.utils.text import slugify

from desks.compliance.checks.scope import requirements_in
from desks.compliance.models import Assessment, Requirement
from desks.compliance.reports.catalogue import report_of
from desks.compliance.reports.pdf import as_pdf
from desks.compliance.reports.tables import as_csv, as_xlsx
from desks.compliance.reports.word import as_docx
from desks.compliance.slots import file_slot
from formats.sheets.format import SHEETS
from formats.word.format import WORD

FORMS = {
    "docx": WORD.mime,
    "pdf": "application/pdf",
    "xlsx": SHEETS.mime,
    "csv": "text/csv; charset=utf-8",
}


def name_of_file(assessment: Assessment, form: str) -> str:
    of, against = slugify(assessment.subject.name), slugify(assessment.framework.short_name)
    return f"{of or 'vendor'}-{against or 'framework'}.{form}"


def file_of(assessment: Assessment, scope: Requirement | None, form: str, person: int) -> bytes:
    """Made for the person. Raises ValidationError when it cannot be made, KeyError for another form."""
    makers = {"docx": as_docx, "pdf": as_pdf, "xlsx": as_xlsx}
    with file_slot(person):
        requirements = requirements_in(assessment.framework, scope)
        report = report_of(assessment, requirements, scope.name if scope else "")
        return makers[form](report) if form in makers else as_csv(report).encode("utf-8-sig")
