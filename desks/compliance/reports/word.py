"""A report as a document of Word."""

import re
from io import BytesIO

from django.utils.translation import gettext as _
from docx import Document
from docx.document import Document as WordDocument
from docx.shared import Pt

from chat.web.files.word_direction import direct_all
from desks.compliance.reports.catalogue import DRAFT, Report
from desks.compliance.reports.lines import Line
from localization.lists import in_quotes

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_docx(report: Report) -> bytes:
    document = Document()
    document.styles["Normal"].font.size = Pt(10)
    document.core_properties.title = _clean(report.title)[:255]
    document.add_heading(_clean(report.title), 0)
    document.add_paragraph(_clean(report.summary))
    document.add_paragraph(_clean(report.sums))
    for line in report.lines:
        _add_line(document, line)
    document.add_heading(_("Documents"), 1)
    for title, sha256 in report.documents:
        document.add_paragraph(_clean(f"{title}, SHA-256 {sha256}"), style="List Bullet")
    direct_all(document)
    content = BytesIO()
    document.save(content)
    return content.getvalue()


def _add_line(document: WordDocument, line: Line) -> None:
    add = document.add_paragraph
    document.add_heading(_clean(f"{line.ref} {line.title}".strip() or line.text[:60]), 2)
    if line.text:
        add(_clean(line.text), style="Intense Quote")
    add().add_run(_clean(line.verdict)).bold = True
    for remark in line.remarks:
        add(_clean(remark))
    for told in line.broken_down:
        add(_clean(told), style="List Bullet")
    for each in line.evidence:
        quote = add(style="Quote")
        quote.add_run(_clean(in_quotes(each.on_one_line)))
        add(_clean(each.told))
    if line.draft:
        add().add_run(_(DRAFT)).italic = True
        add(_clean(line.draft))


def _clean(text: str) -> str:
    """Without characters that XML has not."""
    return _NO_XML.sub("", text)
