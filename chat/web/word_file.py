"""A conversation as a Word file to hand on: answers, and their sources with each quote on its page."""

import io
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.utils import timezone
from docx import Document
from docx.shared import Emu, Inches, Pt, RGBColor

from chat.exports import NOTHING_BESIDE, Beside, answer_of, differing
from chat.models import Citation, Conversation, Turn, TurnStatus
from chat.web.answer_parts import PartKind, parts_of
from chat.web.quote_pictures import Pictures, QuotePictures, not_shown
from chat.web.rendering import source_address
from chat.wording import introduction, remarks, statements
from formats.base.characters import one_line

MOST_PICTURES = 40  # drawn into one file
PIXEL = 9_525  # a CSS pixel in English Metric Units
ROOM = Inches(6)  # between the margins of python-docx's page
PRINT, SMALL = Pt(10.5), Pt(8.5)
GREY = RGBColor(0x67, 0x61, 0x55)
STYLES = {
    PartKind.BULLET: "List Bullet",
    PartKind.NUMBERED: "List Number",
    PartKind.QUOTE: "Intense Quote",
}


def word_file(conversation: Conversation, site: str) -> bytes:
    """site: the address that links lead to, without a slash at its end."""
    turns = list(conversation.turns.order_by("number").prefetch_related("citations__document"))
    return WordFile(QuotePictures(MOST_PICTURES), site).written(str(conversation), turns)


class WordFile:
    """One file while it is written. site: as `word_file` takes it; without one it has no links.

    beside: by answer, what else is said of it. end: sentences at the end of the file.
    """

    def __init__(
        self,
        pictures: Pictures,
        site: str = "",
        beside: Mapping[UUID, Beside] | None = None,
        end: Sequence[str] = (),
    ) -> None:
        self.beside = beside or {}
        self.end = end
        self.site = site
        self.pictures = pictures
        self.made = Document()
        self.made.styles["Normal"].font.size = PRINT

    def written(self, title: str, turns: Sequence[Turn]) -> bytes:
        self.made.core_properties.title = one_line(title)[:255]
        self.made.core_properties.author = "SVQ"
        self.made.add_heading(one_line(title), level=0)
        self._small(f"Written by SVQ on {timezone.localtime():%d %B %Y at %H:%M}.")
        for turn in turns:
            self._turn(turn)
        self._documents(turns)
        for text in self.end:
            self._small(text)
        out = io.BytesIO()
        self.made.save(out)
        return out.getvalue()

    def _turn(self, turn: Turn) -> None:
        self.made.add_heading(one_line(turn.question), level=1)
        beside = self.beside.get(turn.pk, NOTHING_BESIDE)
        if said := introduction(turn):
            self._line(said)
        for text in beside.answer:
            self._small(text)
        if turn.status == TurnStatus.NOT_FOUND:
            return
        self._answer(answer_of(turn))
        for text in filter(None, [*remarks(turn), differing(turn)]):
            self._small(text)
        has_model = turn.model and not turn.quotes_only and not beside.answer
        written_by = f"Answered by {turn.model}. " if has_model else ""
        self._small(f"{written_by}Asked on {timezone.localtime(turn.created):%d %B %Y at %H:%M}.")
        citations = list(turn.citations.all())
        if citations:
            self.made.add_heading("Sources", level=2)
        for citation in citations:
            self._source(citation, beside.quotes.get(citation.n, ()))

    def _answer(self, markdown: str) -> None:
        for part in parts_of(markdown):
            if part.kind == PartKind.TABLE:
                self._table(part.rows)
            else:
                self._line(part.text, STYLES.get(part.kind))

    def _table(self, rows: Sequence[Sequence[str]]) -> None:
        table = self.made.add_table(rows=0, cols=max(map(len, rows), default=1), style="Table Grid")
        for row in rows:
            for cell, text in zip(table.add_row().cells, row, strict=False):
                cell.text = one_line(text)

    def _source(self, citation: Citation, said: Sequence[str]) -> None:
        line = self.made.add_paragraph(f"[{citation.n}] ")
        line.add_run(one_line(citation.name or "No source found")).bold = True
        line.add_run(one_line(f", {citation.where}") if citation.where else "")
        line.add_run(f" ({statements(citation)})").font.color.rgb = GREY
        self._line(f"“{one_line(citation.quote or citation.written)}”", "Quote")
        for text in said:
            self._small(text)
        for picture in self.pictures.of(citation):
            self.made.add_picture(io.BytesIO(picture.png), width=self._width(picture.width))
        if self.site:
            self._small(self.site + source_address(citation.turn, citation.n))

    def _width(self, pixels: int) -> Emu:
        """Of a picture that is so many CSS pixels wide, within the margins."""
        return Emu(min(ROOM, pixels * PIXEL))

    def _documents(self, turns: Iterable[Turn]) -> None:
        """Which files the quotes were checked against, so that each can be recognised."""
        cited = {
            citation.document.pk: citation.document
            for turn in turns
            if turn.status != TurnStatus.NOT_FOUND
            for citation in turn.citations.all()
            if citation.document is not None and not citation.is_file_deleted
        }
        for text in not_shown(self.pictures):
            self._small(text)
        if not cited:
            return
        self.made.add_heading("Documents cited", level=1)
        rows = [["Document", "File", "SHA-256"]]
        rows += [[each.title, each.filename, each.sha256] for each in cited.values()]
        self._table(rows)
        self._small(
            "Each quote was looked for in the text of its document; “on the page” says that it is there. "
            "Whether it supports what is said is another check, told beside it."
        )

    def _line(self, text: str, style: str | None = None) -> None:
        """Without the control characters that Word's XML cannot have."""
        self.made.add_paragraph(one_line(text), style)

    def _small(self, text: str) -> None:
        run = self.made.add_paragraph().add_run(one_line(text))
        run.font.size, run.font.color.rgb = SMALL, GREY
