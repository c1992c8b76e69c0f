"""What the source pane and the hover card show of a citation: the words on their pages, or as text."""

import re
from dataclasses import dataclass
from functools import cached_property

from chat.models import Citation, OnPage, Turn
from chat.web import badges, rendering
from datasources.models import Document, DocumentStatus
from formats.pictures import MARK_MARGIN
from ingestion.models import Page
from reader import page_images
from reader.page_boxes import Box, scaled

EMPHASIS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
AROUND = 1500  # characters of a page's text shown before and after a quote


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPage:
    """A page that the quote overlaps: drawn with boxes, else its text with the words between."""

    number: int
    width: int  # points
    height: int
    drawn: bool
    boxes: list[Box]
    before: str
    words: str
    after: str


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
        document = self.citation.document
        return None if document is None or document.status == DocumentStatus.DELETED else document

    @property
    def quote(self) -> str:
        return self.citation.quote or self.citation.written

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
        return " ".join(EMPHASIS.sub("", self.citation.claim).split())

    @property
    def is_gone(self) -> bool:
        """Whether the file was deleted after the answer."""
        return self.document is None and self.citation.on_page != OnPage.ABSENT

    @cached_property
    def has_images(self) -> bool:
        return page_images.has_pages(self.document)

    @cached_property
    def pages(self) -> list[ShownPage]:
        if self.document is None or not self.citation.pages:
            return []
        pages = self.document.pages.filter(number__in=self.citation.pages).order_by("number")
        return [self._shown(page) for page in pages]

    @property
    def crops(self) -> list[int]:
        """Numbers of the pages on which the place of the words is known."""
        if not self.has_images:
            return []
        return [number for number in self.citation.pages if self.citation.boxes_on(number)]

    def _shown(self, page: Page) -> ShownPage:
        start = max(0, (self.citation.start or 0) - page.start)
        end = max(start, min(len(page.text), (self.citation.end or 0) - page.start))
        boxes = self.citation.boxes_on(page.number)
        return ShownPage(
            number=page.number,
            width=round(page.width) or 595,
            height=round(page.height) or 842,
            drawn=self.document is not None and page_images.can_draw(self.document, page.number),
            boxes=[scaled(page_images.rect(box), margin=MARK_MARGIN) for box in boxes],
            before=page.text[max(0, start - AROUND) : start],
            words=page.text[start:end],
            after=page.text[end : end + AROUND],
        )

    @property
    def copied(self) -> str:
        """Claim, quote, document and page for the clipboard."""
        pages = ", ".join(map(str, self.citation.pages))
        place = f"{self.citation.document_title}, page {pages}" if pages else self.citation.document_title
        lines = [self.claim, f"“{' '.join(self.quote.split())}”", place]
        return "\n".join(line for line in lines if line)
