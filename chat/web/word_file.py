"""A conversation as a Word file to hand on: answers, and their sources with each quote on its page."""

import io
import time
from collections.abc import Iterable, Sequence
from copy import deepcopy

from django.utils import timezone
from docx import Document
from docx.shared import Emu, Inches, Pt, RGBColor
from lxml import html
from PIL import Image

from chat.citations import proof
from chat.exports import answer_of, differing
from chat.models import Citation, Conversation, Turn, TurnStatus
from chat.web.rendering import blocks, source_address
from chat.web.source import Source
from chat.wording import introduction, remarks, statements
from formats.base.characters import one_line
from formats.base.errors import ExtractionError
from ingestion.models import Page
from jobs.fair_slots import Busy
from text.counted import counted

MOST_PICTURES = 40  # pages that are drawn into one file; the other quotes are there as text
DRAWING_SECONDS = 20.0  # after which no further page is begun
PIXEL = 9_525  # a CSS pixel in English Metric Units
ROOM = Inches(6)  # between the margins of python-docx's page
PRINT, SMALL = Pt(10.5), Pt(8.5)
GREY = RGBColor(0x67, 0x61, 0x55)


def word_file(conversation: Conversation, site: str) -> bytes:
    """site: the address that links lead to, without a slash at its end."""
    turns = list(conversation.turns.order_by("number").prefetch_related("citations__document"))
    return WordFile(site).written(str(conversation), turns)


class WordFile:
    """One file while it is written."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.made = Document()
        self.made.styles["Normal"].font.size = PRINT
        self.pictures = 0
        self.deadline = time.monotonic() + DRAWING_SECONDS
        self.left_out = 0

    def written(self, title: str, turns: Sequence[Turn]) -> bytes:
        self.made.core_properties.title = one_line(title)[:255]
        self.made.core_properties.author = "SVQ"
        self.made.add_heading(one_line(title), level=0)
        self._small(f"Written by SVQ on {timezone.localtime():%d %B %Y at %H:%M}.")
        for turn in turns:
            self._turn(turn)
        self._documents(turns)
        out = io.BytesIO()
        self.made.save(out)
        return out.getvalue()

    def _turn(self, turn: Turn) -> None:
        self.made.add_heading(one_line(turn.question), level=1)
        if said := introduction(turn):
            self._line(said)
        if turn.status == TurnStatus.NOT_FOUND:
            return
        self._answer(answer_of(turn))
        for text in filter(None, [*remarks(turn), differing(turn)]):
            self._small(text)
        written_by = f"Answered by {turn.model}. " if turn.model and not turn.quotes_only else ""
        self._small(f"{written_by}Asked on {timezone.localtime(turn.created):%d %B %Y at %H:%M}.")
        citations = list(turn.citations.all())
        if citations:
            self.made.add_heading("Sources", level=2)
        for citation in citations:
            self._source(citation)

    def _answer(self, markdown: str) -> None:
        for block in blocks(markdown):
            for element in html.fragments_fromstring(block):
                if isinstance(element, str):
                    self._line(element)
                else:
                    self._block(element)

    def _block(self, element: html.HtmlElement) -> None:
        if element.tag in ("ul", "ol"):
            style = "List Bullet" if element.tag == "ul" else "List Number"
            for item in element.iter("li"):
                self._line(_words(item), style)
        elif element.tag == "table":
            self._table([[_words(cell) for cell in row.iterchildren()] for row in element.iter("tr")])
        elif element.tag == "blockquote":
            self._line(_words(element), "Intense Quote")
        elif element.tag == "pre":
            for line in element.text_content().splitlines():
                self._line(line)
        else:
            self._line(_words(element))

    def _table(self, rows: list[list[str]]) -> None:
        table = self.made.add_table(rows=0, cols=max(map(len, rows), default=1), style="Table Grid")
        for row in rows:
            for cell, text in zip(table.add_row().cells, row, strict=False):
                cell.text = one_line(text)

    def _source(self, citation: Citation) -> None:
        line = self.made.add_paragraph(f"[{citation.n}] ")
        line.add_run(one_line(citation.name or "No source found")).bold = True
        line.add_run(one_line(f", {citation.where}") if citation.where else "")
        line.add_run(f" ({statements(citation)})").font.color.rgb = GREY
        self._line(f"“{one_line(citation.quote or citation.written)}”", "Quote")
        self._pictures(citation)
        self._small(self.site + source_address(citation.turn, citation.n))

    def _pictures(self, citation: Citation) -> None:
        if self.pictures >= MOST_PICTURES or time.monotonic() > self.deadline:
            self.left_out += bool(citation.boxes)
            return
        for crop in Source(citation).drawn_crops:
            try:
                picture = Image.open(io.BytesIO(proof.crop(citation, crop.page))).convert("RGB")
            except Busy:
                self.deadline = 0.0  # others are waiting: no further page is asked for
                self.left_out += 1
                return
            except (ExtractionError, Page.DoesNotExist, OSError):
                self.left_out += 1
                continue
            file = io.BytesIO()
            picture.save(file, "PNG")
            file.seek(0)
            self.made.add_picture(file, width=self._width(crop.width))
            self.pictures += 1

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
        if self.left_out:
            quotes = counted(self.left_out, "quote")
            self._small(f"{quotes} could not be shown on the page here; the words are above as text.")
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


def _words(element: html.HtmlElement) -> str:
    """On one line, without the lists within, whose items have lines of their own."""
    bare = deepcopy(element)
    for inner in bare.xpath("./ul | ./ol"):
        inner.drop_tree()
    return " ".join(bare.text_content().split())
