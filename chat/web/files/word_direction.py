"""From right to left in a Word file: SVQ's own sentences run as their language does, the words of people and
documents as the first letter of each paragraph.
"""

from django.utils.translation import get_language_bidi
from docx.document import Document
from docx.enum.table import WD_TABLE_DIRECTION
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from text.direction import runs_to_the_left

# What may stand behind “bidi” in the properties of a paragraph, and behind the size of complex scripts in
# those of a run: the order is part of the format.
_BEHIND_BIDI = (
    *("adjustRightInd", "snapToGrid", "spacing", "ind", "contextualSpacing", "mirrorIndents"),
    *("suppressOverlap", "jc", "textDirection", "textAlignment", "textboxTightWrap", "outlineLvl"),
    *("divId", "cnfStyle", "rPr", "sectPr", "pPrChange"),
)
_BEHIND_SIZE = (
    *("highlight", "u", "effect", "bdr", "shd", "fitText", "vertAlign", "rtl", "cs", "em", "lang"),
    *("eastAsianLayout", "specVanish", "oMath"),
)


def direct(paragraph: Paragraph, *, right: bool) -> None:
    """Let it run from right to left, once all of its words are in it; nothing else needs to be said."""
    if not right:
        return
    paragraph._p.get_or_add_pPr().insert_element_before(OxmlElement("w:bidi"), *_names(_BEHIND_BIDI))
    for run in paragraph.iter_inner_content():
        if not isinstance(run, Run):
            continue
        run.font.rtl = True
        if run.font.size is not None:
            size = OxmlElement("w:szCs")
            size.set(qn("w:val"), str(round(run.font.size.pt * 2)))
            run._r.get_or_add_rPr().insert_element_before(size, *_names(_BEHIND_SIZE))


def direct_all(document: Document) -> None:
    """Each paragraph by its first letter, and the tables as the language of now."""
    for paragraph in document.paragraphs:
        direct(paragraph, right=runs_to_the_left(paragraph.text))
    for table in document.tables:
        direct_table(table, right=get_language_bidi())


def direct_table(table: Table, *, right: bool) -> None:
    """right: whether its first column is the rightmost; each cell runs as its own words do."""
    if right:
        table.table_direction = WD_TABLE_DIRECTION.RTL
    for cell in table._tbl.iter_tcs():
        for element in cell.p_lst:
            paragraph = Paragraph(element, table)
            direct(paragraph, right=runs_to_the_left(paragraph.text))


def _names(tags: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"w:{tag}" for tag in tags)
