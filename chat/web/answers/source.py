"""What the source pane and the hover card show of a citation: its words on their pages, or as text."""

from dataclasses import dataclass
from functools import cached_property
from statistics import median

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from answering.extractive import answer_kinds
from chat.citation_rows import proof
from chat.citation_rows.as_read import as_read
from chat.citation_rows.newer_version import page_of, successor
from chat.citation_rows.recognised import Recognised, recognised
from chat.citation_rows.table_heads import TableHeads, table_heads
from chat.models import Citation, Turn
from chat.web.answers import badges, rendering
from chat.web.answers.marked_words import differing, marked
from chat.wording import plain_claim
from citations.choices import ConfirmedBy
from citations.where import NOT_COMPARED, NOT_VISIBLE, OTHER_LETTERS
from datasources.models import Document, Role
from formats.pictures import MARK_MARGIN
from formats.surroundings import text_column
from ingestion.models import Page
from reader import page_images
from reader.changed_clauses import ChangedClause, ChangedClauses
from reader.page_boxes import Box, scaled
from text.direction import runs_to_the_left
from text.personal.personal_data import Kind

DOUBTS = {
    NOT_VISIBLE: gettext_lazy(
        "The file has these words, but its page does not show all of them: they have the colour of"
        " the paper, are covered, or stand outside of the page."
    ),
    OTHER_LETTERS: gettext_lazy(
        "The page shows other letters than the file's text has here. Compare the words with the page."
    ),
    NOT_COMPARED: gettext_lazy(
        "The page could not be drawn in time, so it is not known whether it shows these words."
        " Compare them with the page."
    ),
}
KINDS_OF_DATA = {
    Kind.EMAIL.value: gettext_lazy("e-mail address"),
    Kind.PHONE.value: gettext_lazy("telephone number"),
    Kind.IBAN.value: gettext_lazy("bank account number"),
    Kind.CARD.value: gettext_lazy("card number"),
    Kind.IDENTITY.value: gettext_lazy("identity number"),
    Kind.SECRET.value: gettext_lazy("key or password"),
}
FOUND_BY_READER = {
    "supports": gettext_lazy(
        "{reader} read the claim, the quote and its whole sentence and finds it supported"
    ),
    "contradicts": gettext_lazy(
        "{reader} read the claim, the quote and its whole sentence and finds it contradicted"
    ),
    "neither": gettext_lazy(
        "{reader} read the claim, the quote and its whole sentence and does not find it there"
    ),
}
AROUND = 1500  # characters of a page's text shown before and after a quote
SEARCHED = 200  # characters, as many as the reader looks for
CLOSING = ",.;:!?)]}’”%"
LITTLE_TEXT = 400  # characters; a page with less may be a picture or a slide, whose edges matter
MARGIN_KEPT = 0.025  # of the page's width, beside its print
READABLE_SCALE = 1.2  # CSS pixels a point, for print of ordinary size
ORDINARY_LINE = 13  # points from the top to the bottom of a marked line; larger print may be drawn smaller


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPage:
    """A page that the quote overlaps: drawn with boxes, else its text with the words between. In points.

    left, across: the part of its width that has print, margins cut. least: its width in CSS pixels at which
    the words can be read. rest: boxes of the rest of the quote's sentence, or of the heads of its columns.
    """

    number: int
    width: int
    height: int
    left: float
    across: float
    least: int
    picture: str  # the address of its picture
    drawn: bool
    boxes: list[Box]
    rest: list[Box]
    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Crop:
    """The words on one of their pages; width and height in CSS pixels."""

    page: int
    width: int
    height: int


class Source:
    """One citation of a turn, seen by its reader."""

    def __init__(self, citation: Citation) -> None:
        self.citation = citation
        self.turn: Turn = citation.turn
        self.address = rendering.source_address(self.turn, citation.n)
        self.chip = f"c{rendering.anchor(self.turn)}-{citation.n}"

    @cached_property
    def document(self) -> Document | None:
        """None once it was deleted."""
        return None if self.citation.is_file_deleted else self.citation.document

    @cached_property
    def may_read(self) -> bool:
        """Whether its asker may read the whole document, not only the pages that are cited."""
        conversation = self.turn.conversation
        return conversation.datasource.has_role(conversation.user, Role.VIEWER)

    @property
    def said_of_pages(self) -> str:
        return page_images.said_of_pages(self.document)

    @property
    def quote(self) -> str:
        return self.citation.quote or self.citation.written

    @property
    def masked(self) -> list[str]:
        """What kinds of personal data are masked in the quote."""
        return [str(KINDS_OF_DATA.get(kind, kind)) for kind in self.citation.masked]

    @cached_property
    def quote_as_read(self) -> str:
        return as_read(self.citation)

    @property
    def badge(self) -> badges.Badge:
        return badges.of(self.citation)

    @property
    def claim_badge(self) -> badges.Badge | None:
        return badges.about_claim(self.citation)

    @property
    def badges(self) -> list[badges.Badge]:
        """About the quote, and about the claim where one was judged."""
        return [badge for badge in (badges.about_quote(self.citation), self.claim_badge) if badge]

    @property
    def claim(self) -> str:
        """The claim without Markdown's emphasis."""
        return plain_claim(self.citation)

    @cached_property
    def differing(self) -> list[str]:
        """Words in which claim and quote differ."""
        return differing(self.citation)

    @property
    def claim_marked(self) -> SafeString:
        """The claim with the words marked that differ."""
        return marked(self.claim, self.differing)

    @property
    def quote_marked(self) -> SafeString:
        return marked(" ".join(self.quote_as_read.split()), self.differing)

    @property
    def reader_says(self) -> str:
        """Who the second reader is and what it did; empty where none has read it."""
        name, opinion = self.citation.reader, self.citation.judge
        if not name:
            return ""
        if opinion.get("writer"):
            name = _("{model}, the model that wrote the answer,").format(model=name)
        if self.citation.confirmed_by == ConfirmedBy.READER:
            return _(
                "{reader} read the claim, the quote and its whole sentence. Code alone cannot: the words "
                "differ."
            ).format(reader=name)
        told = FOUND_BY_READER.get(opinion.get("verdict", ""))
        if told is None or self.citation.reason.startswith(self.citation.reader):
            return ""
        said = str(told).format(reader=name)
        return f"{said}: {opinion['reason']}" if opinion.get("reason") else f"{said}."

    @property
    def is_gone(self) -> bool:
        """Whether the file was deleted after the answer."""
        return self.citation.is_file_deleted

    @cached_property
    def has_images(self) -> bool:
        return page_images.has_pages(self.document)

    @cached_property
    def pages(self) -> list[ShownPage]:
        if self.document is None or not self.citation.pages:
            return []
        pages = self.document.pages.filter(number__in=self.citation.pages).order_by("number")
        return [self._shown(page) for page in pages]

    @cached_property
    def crops(self) -> list[Crop]:
        """One for each page on which the position of the words is known."""
        return [crop for number in proof.drawn_on(self.citation) if (crop := self._crop(number))]

    def _crop(self, number: int) -> Crop | None:
        """Its size is known before it is drawn, so a card need not wait. None for a page without its row."""
        assert self.document is not None
        try:
            width, height = page_images.crop_size(
                self.document, number, self.citation.boxes_on(number), self.heads.boxes.get(number, [])
            )
        except Page.DoesNotExist:
            return None
        return Crop(page=number, width=width, height=height)

    @property
    def drawn_crops(self) -> list[Crop]:
        """None of them unless the pages can be drawn."""
        return self.crops if all(page.drawn for page in self.pages) else []

    @property
    def words_across(self) -> tuple[float, float]:
        """Where the words begin and end across the first crop, in parts of its width; from the right where
        they are read so. Of a quote with the figure or the date that is asked for, that.
        """
        assert self.document is not None
        number = self.drawn_crops[0].page
        boxes = self.citation.boxes_on(number)
        asked = next(answer_kinds.Kind(self.turn.question).places(self.citation.quote), None)
        edges = page_images.words_across_crop(
            self.document,
            number,
            boxes,
            self.heads.boxes.get(number, []),
            of=(self.boxes_of(*asked).get(number) if asked else None) or boxes,
        )
        return edges[::-1] if runs_to_the_left(self.citation.quote) else edges

    def boxes_of(self, start: int, end: int) -> dict[int, list[list[float]]]:
        """By page, of some of the quote's characters; none where it is not letter for letter what the
        document has there.
        """
        citation = self.citation
        if self.document is None or citation.start is None or citation.end is None:
            return {}
        if citation.masked or citation.end - citation.start != len(citation.quote):
            return {}
        found = page_images.place(self.document, citation.start + start, citation.start + end)
        return {page: boxes for page, boxes in found.items() if boxes}

    @cached_property
    def changed(self) -> list[ChangedClause]:
        """What newer documents change of the clauses that are quoted."""
        return ChangedClauses(self.turn.conversation.datasource_id).within(
            self.document, self.citation.start, self.citation.end
        )

    @cached_property
    def newer(self) -> Document | None:
        """The version that has replaced the document."""
        return successor(self.citation) if self.document else None

    @cached_property
    def page_in_newer(self) -> int | None:
        """Where the quote begins in that version, None when it is not in it."""
        return page_of(self.citation.quote, self.newer) if self.newer else None

    @property
    def doubt(self) -> str:
        """How the page and its text disagree about the quote, in a sentence; empty where they do not."""
        return str(DOUBTS.get(self.citation.place_in_file, ""))

    @property
    def is_compared(self) -> bool:
        """Whether the page was compared with its text where the quote is."""
        return self.citation.place_in_file != NOT_COMPARED

    @cached_property
    def recognised(self) -> Recognised | None:
        """None for a quote from a file's own text."""
        return recognised(self.citation)

    @property
    def chunk(self) -> int | None:
        """The chunk that holds the beginning of the quote now: documents may have been split again."""
        if self.document is None or self.citation.start is None:
            return None
        start = self.citation.start
        held = self.document.chunks.filter(start__lte=start, end__gt=start).order_by("-end")
        return held.values_list("pk", flat=True).first()

    @property
    def searched(self) -> str:
        """The quote's beginning, to be looked for in another document."""
        return " ".join(self.quote.split())[:SEARCHED]

    @property
    def has_rest(self) -> bool:
        """Whether the quote leaves out a part of its sentence."""
        return bool(self.before or self.after)

    @property
    def before(self) -> str:
        """The sentence before the quote."""
        words = " ".join(self.citation.before.split())
        return f"{words} " if words else ""

    @property
    def after(self) -> str:
        """The sentence after the quote, with a space before it where one belongs."""
        words = " ".join(self.citation.after.split())
        return f" {words}" if words and words[0] not in CLOSING else words

    @cached_property
    def heads(self) -> TableHeads:
        """Of the columns, when the quote is the row of a table."""
        return table_heads(self.citation)

    def _picture_of(self, page: Page) -> str:
        """One address for all quotes of a page, for whoever may read the document."""
        if self.document and self.may_read:
            return reverse("page_image", args=[self.document.datasource_id, self.document.pk, page.number])
        return reverse("source_page", args=[self.turn.pk, self.citation.n, page.number])

    def _shown(self, page: Page) -> ShownPage:
        start = max(0, (self.citation.start or 0) - page.start)
        end = max(start, min(len(page.text), (self.citation.end or 0) - page.start))
        width, height = round(page.width) or 595, round(page.height) or 842
        left, right = self._print(page)
        boxes = [_box(box, width, height) for box in self.citation.boxes_on(page.number)]
        return ShownPage(
            number=page.number,
            width=width,
            height=height,
            left=round(left * width, 1),
            across=round((right - left) * width, 1),
            least=round((right - left) * width * readable_scale(boxes)),
            picture=self._picture_of(page),
            drawn=self.document is not None
            and page_images.can_draw(self.document, page.number, asker=proof.asker_of(self.citation)),
            boxes=boxes,
            rest=[
                _box(box, width, height)
                for box in (*self._rest.get(page.number, []), *self.heads.boxes.get(page.number, []))
            ],
            before=page.text[max(0, start - AROUND) : start],
            words=page.text[start:end],
            after=page.text[end : end + AROUND],
        )

    @cached_property
    def _rest(self) -> dict[int, list[list[float]]]:
        """Boxes of the rest of the sentence, by page."""
        return proof.rest_of_sentence(self.citation) if self.citation.before or self.citation.after else {}

    def _print(self, page: Page) -> tuple[float, float]:
        """Left and right edge of what is shown of the page, in parts of its width."""
        column = text_column(page.text, bytes(page.boxes)) if len(page.text) > LITTLE_TEXT else None
        if column is None:
            return 0.0, 1.0
        left, right = column
        return max(0.0, left / 1000 - MARGIN_KEPT), min(1.0, right / 1000 + MARGIN_KEPT)

    @property
    def copied(self) -> str:
        """Claim, quote, document and page for the clipboard."""
        place = ", ".join(filter(None, (self.citation.name, self.citation.where)))
        lines = [self.claim, f"“{' '.join(self.quote_as_read.split())}”", place]
        return "\n".join(line for line in lines if line)


def readable_scale(boxes: list[Box]) -> float:
    """CSS pixels a point at which the words in these boxes can be read; boxes: in points, one a line."""
    line = median(box.height for box in boxes) if boxes else ORDINARY_LINE
    return READABLE_SCALE * ORDINARY_LINE / max(line, ORDINARY_LINE)


def _box(box: list[float], width: int, height: int) -> Box:
    return scaled(page_images.rect(box), width=width, height=height, margin=MARK_MARGIN)
