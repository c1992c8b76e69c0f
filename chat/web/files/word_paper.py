"""What a Word file that leaves SVQ is made of: headings, the parts of a text, small print and pictures."""

import io
from collections.abc import Iterable, Sequence

from django.utils.translation import get_language_bidi
from docx import Document
from docx.shared import Emu, Inches, Pt, RGBColor
from docx.table import Table
from docx.text.paragraph import Paragraph

from chat.web.files.answer_parts import Part, PartKind, Run
from chat.web.files.quote_pictures import Picture
from chat.web.files.word_direction import direct, direct_table
from formats.base.characters import clean_text, one_line
from localization.lists import in_quotes, remarks
from text.direction import runs_to_the_left

PIXEL = 9_525  # a CSS pixel in English Metric Units
ROOM = Inches(6)  # between the margins of python-docx's page
PRINT, SMALL = Pt(10.5), Pt(8.5)
GREY = RGBColor(0x67, 0x61, 0x55)
HIGHEST, LOWEST = 1, 9  # levels of headings that Word has below the title
STYLES = {
    PartKind.BULLET: "List Bullet",
    PartKind.NUMBERED: "List Number",
    PartKind.QUOTE: "Intense Quote",
}


class WordPaper:
    """One file while it is written. All text loses the control characters that Word's XML cannot have.

    said: under the title, on where the file is from. It is in the language of now, and runs as that does.
    """

    def __init__(self, title: str, said: str) -> None:
        self._made = Document()
        self._right = get_language_bidi()
        # Read once: looked up by its name, a style costs a millisecond.
        self._style_ids = {style.name: style.style_id for style in self._made.styles}
        self._made.styles["Normal"].font.size = PRINT
        self._made.core_properties.title = one_line(title)[:255]
        self._made.core_properties.author = "SVQ"
        self.heading(title, level=0)
        self.small(said)

    def heading(self, text: str, level: int) -> None:
        """level: 0 is the title's."""
        self._theirs(text, f"Heading {level}" if level else "Title")

    def parts(self, parts: Iterable[Part], *, below: int = 0) -> None:
        """below: the level of the heading that the text stands under."""
        for part in parts:
            if part.kind == PartKind.TABLE:
                self.table(part.rows)
            elif part.kind == PartKind.HEADING:
                self.heading(part.text, min(max(below + part.level, HIGHEST), LOWEST))
            else:
                self._runs(part.stretches, STYLES.get(part.kind))

    def line(self, text: str) -> None:
        """A sentence of SVQ."""
        paragraph = self._paragraph(None)
        paragraph.add_run(one_line(text))
        direct(paragraph, right=self._right)

    def small(self, text: str) -> None:
        paragraph = self._made.add_paragraph()
        run = paragraph.add_run(one_line(text))
        run.font.size, run.font.color.rgb = SMALL, GREY
        direct(paragraph, right=self._right)

    def source(self, n: int, name: str, where: str, said: str) -> None:
        """The line over a quote: its number, its document and page, and what is said of it."""
        line = self._made.add_paragraph(f"[{n}] ")
        line.add_run(one_line(name)).bold = True
        line.add_run(remarks("", one_line(where)) if where else "")
        line.add_run(f" ({one_line(said)})" if said else "").font.color.rgb = GREY
        direct(line, right=self._right)

    def quote(self, text: str) -> None:
        self._theirs(in_quotes(text), "Quote")

    def _theirs(self, text: str, style: str) -> None:
        paragraph = self._paragraph(style)
        paragraph.add_run(one_line(text))
        direct(paragraph, right=runs_to_the_left(text))

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        width = max(map(len, rows), default=1)
        table = self._made.add_table(rows=len(rows), cols=width, style="Table Grid")
        fill(table, [list(map(one_line, row)) for row in rows])
        direct_table(table, right=self._right)

    def pictures(self, pictures: Iterable[Picture]) -> None:
        """Each as large as on the screen, within the margins."""
        for picture in pictures:
            width = Emu(min(ROOM, picture.width * PIXEL))
            self._made.add_picture(io.BytesIO(picture.png), width=width)

    def _paragraph(self, style: str | None) -> Paragraph:
        paragraph = self._made.add_paragraph()
        if style is not None:
            paragraph._p.style = self._style_ids[style]
        return paragraph

    def file(self) -> bytes:
        out = io.BytesIO()
        self._made.save(out)
        return out.getvalue()

    def _runs(self, runs: Iterable[Run], style: str | None) -> None:
        paragraph = self._paragraph(style)
        for run in runs:
            added = paragraph.add_run(clean_text(run.text).replace("\n", " "))
            added.bold, added.italic = run.strong or None, run.emphasis or None
        direct(paragraph, right=runs_to_the_left(paragraph.text))


def fill(table: Table, rows: Sequence[Sequence[str]]) -> None:
    """Write into the empty cells of a table of that many rows: its `cells` count all again for each row."""
    for row, texts in zip(table._tbl.tr_lst, rows, strict=True):
        for cell, text in zip(row.tc_lst, texts, strict=False):
            Paragraph(cell.p_lst[0], table).add_run(clean_text(text))
