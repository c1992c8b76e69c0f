"""The points of documents, read from their pages each time: nothing of them is kept."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from datasources.models import Document
from digest.duties import BEFORE, EACH
from digest.points import Kind
from digest.reading import PageText, Placed, read

MOST_PAGES = 600  # of all documents together; about 5 ms each
SEARCHED = 200  # characters, as many as the reader looks for


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A point with its document."""

    document: Document
    placed: Placed

    @property
    def searched(self) -> str:
        """What the reader is to look for: the statement, or its end where the value stands there."""
        statement, value = self.placed.statement, len(self.placed.before)
        first = max(0, value - SEARCHED // 2) if value + len(self.placed.value) > SEARCHED else 0
        return statement[first : first + SEARCHED].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """points: by kind. unread: documents that were left out, as the others have enough pages. cut: the
    document of which only the first pages were read.
    """

    points: dict[Kind, list[Found]]
    read: int
    unread: int
    cut: Document | None

    @property
    def documents(self) -> int:
        return self.read + self.unread

    def dates(self, today: date) -> list[tuple[str, list[Found]]]:
        """Those to come first, the next one at their head."""
        every = self.points[Kind.DATE]
        ahead = [found for found in every if found.placed.point.day and found.placed.point.day >= today]
        groups = [("To come", ahead), ("Past", every[: len(every) - len(ahead)])]
        return [(name, found) for name, found in groups if found]

    @property
    def duties(self) -> list[tuple[str, list[Found]]]:
        """By party, the one with the most first; those without a name of their own last."""
        by_party: dict[str, list[Found]] = {}
        for found in self.points[Kind.DUTY]:
            by_party.setdefault(found.placed.point.party, []).append(found)
        last = {EACH: 1, BEFORE: 2}
        return sorted(by_party.items(), key=lambda row: (last.get(row[0], 0), -len(row[1]), row[0]))


def glance(documents: Iterable[Document]) -> Glance:
    """In the order given, until there are enough pages. Dates are in the order of time."""
    points: dict[Kind, list[Found]] = {kind: [] for kind in Kind}
    left, read_documents, unread, cut = MOST_PAGES, 0, 0, None
    for document in documents:
        if left <= 0:
            unread += 1
            continue
        pages = _pages(document, left)
        if len(pages) == left and document.pages.count() > left:
            cut = document
        left -= len(pages)
        read_documents += 1
        for placed in read(pages):
            points[placed.point.kind].append(Found(document=document, placed=placed))
    points[Kind.DATE].sort(key=lambda found: found.placed.point.day)  # type: ignore[arg-type, return-value]
    points[Kind.TERM].sort(key=lambda found: found.placed.point.label.lower())
    return Glance(points=points, read=read_documents, unread=unread, cut=cut)


def _pages(document: Document, most: int) -> Sequence[PageText]:
    rows = document.pages.order_by("number").values_list("number", "text")[:most]
    return [PageText(number=number, text=text) for number, text in rows]
