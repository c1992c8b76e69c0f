"""The source of one cell, as it is shown beside the table: its page with the words marked."""

from functools import cached_property
from typing import Any

from django.utils.translation import gettext_noop

from citations.choices import Support
from citations.place_in_file import shown_place
from citations.where import where
from desks.tables.grid import ShownCell
from english.contracts.clauses import clause_cited
from ingestion.models import Page
from reader import page_images
from reader.page_boxes import lines

BADGES = {
    Support.SUPPORTED: ("ok", "badge-check", gettext_noop("Supports the cell")),
    Support.FACTS_AGREE: ("line", "scale", gettext_noop("Facts agree, wording differs")),
    Support.NEEDS_EYE: ("warn", "shield-question-mark", gettext_noop("Needs your eye")),
    Support.CONTRADICTED: ("bad", "circle-x", gettext_noop("Contradicts the cell")),
}


class Proof:
    def __init__(self, shown: ShownCell, *, asker: int) -> None:
        self.shown, self.cell, self.column = shown, shown.cell, shown.column
        self.document = shown.cell.row.document
        self._asker = asker

    @property
    def badge(self) -> dict[str, str] | None:
        """About the value; None where nothing is claimed."""
        css, icon, words = BADGES.get(Support(self.cell.support), ("", "", ""))
        return {"css": css, "icon": icon, "words": words} if css else None

    @cached_property
    def page(self) -> Page | None:
        """The first that has the quote."""
        return self.document.pages.filter(number__in=self.cell.pages).order_by("number").first()

    @cached_property
    def place(self) -> str:
        """What the file calls it, see citations.place_in_file."""
        return shown_place(self.document, self.cell.pages, self.cell.start, self.cell.end)

    @property
    def where(self) -> str:
        """“page 3”, or what the file calls the place."""
        return where(self.cell.pages, self.place, clause_cited(self.document.title, self.cell.quote))

    @cached_property
    def drawn(self) -> bool:
        return self.page is not None and page_images.can_draw(
            self.document, self.page.number, asker=self._asker
        )

    @property
    def marks(self) -> list[dict[str, Any]]:
        if self.page is None or self.cell.start is None or self.cell.end is None:
            return []
        start, end = self.cell.start - self.page.start, self.cell.end - self.page.start
        return [{"place": 1, "boxes": lines(self.page, max(0, start), min(len(self.page.text), end))}]

    @property
    def around(self) -> tuple[str, str, str]:
        """The page's text before the words, the words, and after, where the page cannot be drawn."""
        if self.page is None or self.cell.start is None or self.cell.end is None:
            return "", "", ""
        start, end = max(0, self.cell.start - self.page.start), self.cell.end - self.page.start
        return self.page.text[:start], self.page.text[start:end], self.page.text[end:]
