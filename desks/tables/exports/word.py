"""A table as a Word file: the table lying across, and its sources numbered below."""

import io
from collections.abc import Sequence

from django.utils.translation import gettext as _
from docx import Document
from docx.enum.section import WD_ORIENT
from docx.shared import Pt

from chat.web.files.word_direction import direct_all
from chat.web.files.word_paper import fill
from localization.lists import in_quotes

PRINT = Pt(9)


def word(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    sources: Sequence[tuple[int, str, str, str, str]],
) -> bytes:
    """rows: as many texts as there are heads. sources: number, document, pages, quote, verdict."""
    made = Document()
    section = made.sections[0]
    section.orientation = WD_ORIENT.LANDSCAPE
    section.page_width, section.page_height = section.page_height, section.page_width
    made.styles["Normal"].font.size = PRINT
    made.add_heading(title, level=1)
    table = made.add_table(rows=1 + len(rows), cols=len(heads), style="Table Grid")
    fill(table, [heads, *rows])
    for cell in table.rows[0].cells:
        cell.paragraphs[0].runs[0].bold = True
    if sources:
        made.add_heading(_("Sources"), level=2)
    for number, document, pages, quote, verdict in sources:
        line = made.add_paragraph(f"[{number}] ")
        before, after = _("{title}, page {pages}: {quote} ({remark})").split("{title}")
        line.add_run(before)
        line.add_run(document).bold = True
        line.add_run(after.format(pages=pages, quote=in_quotes(quote), remark=verdict))
    direct_all(made)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()
