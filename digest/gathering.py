"""The points of documents, read from their pages each time: nothing of them is kept."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from datasources.models import Document
from digest.definitions import defined_in
from digest.duties import BEFORE, EACH
from digest.points import Kind
from digest.reading import PageText, Placed, is_understood, read
from digest.slots import READING
from ingestion.models import Page

MOST_PAGES = 600  # of all documents together; about 5 ms each
LONGEST_ASKED = 20_000  # characters of which the defined terms are looked up; a page has some 4,000
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
    document of which only the first pages were read. foreign: documents in other languages than the rules
    know.
    """

    points: dict[Kind, list[Found]]
    read: int
    foreign: int
    unread: int
    cut: Document | None

    @property
    def documents(self) -> int:
        return self.read + self.unread

    def dates(self, today: date) -> list[tuple[str, list[Found]]]:
        """Those to come first, the next one at their head."""
        every = self.points[Kind.DATE]
        ahead = [found for found in every if found.placed.point.day and found.placed.point.day >= today]
        groups = [(_("To come"), ahead), (_("Past"), every[: len(every) - len(ahead)])]
        return [(name, found) for name, found in groups if found]

    @property
    def duties(self) -> list[tuple[str, list[Found]]]:
        """By party, the one with the most first; those without a name of their own last."""
        by_party: dict[str, list[Found]] = {}
        for found in self.points[Kind.DUTY]:
            by_party.setdefault(found.placed.point.party, []).append(found)
        last = {EACH: 1, BEFORE: 2}
        return sorted(by_party.items(), key=lambda row: (last.get(row[0], 0), -len(row[1]), row[0]))


def glance(documents: QuerySet[Document], *, asker: int) -> Glance:
    """In the order given, until there are enough pages. Dates are in the order of time. Raises Busy."""
    with READING.taken_by(asker):
        return _glance(documents)


def _glance(documents: QuerySet[Document]) -> Glance:
    chosen, cut = _first_of(documents)
    texts: dict[int, list[PageText]] = {document.pk: [] for document, _ in chosen}
    pages = Page.objects.filter(document__in=texts, number__lte=MOST_PAGES).order_by("document", "number")
    for owner, number, text in pages.values_list("document", "number", "text"):
        texts[owner].append(PageText(number=number, text=text))
    points: dict[Kind, list[Found]] = {kind: [] for kind in Kind}
    for document, most in chosen:
        for placed in read(texts[document.pk][:most]):
            points[placed.point.kind].append(Found(document=document, placed=placed))
    points[Kind.DATE].sort(key=lambda found: found.placed.point.day)  # type: ignore[arg-type, return-value]
    points[Kind.TERM].sort(key=lambda found: found.placed.point.label.lower())
    return Glance(
        points=points,
        read=len(chosen),
        foreign=sum(not is_understood(" ".join(page.text for page in pages)) for pages in texts.values()),
        unread=documents.filter(pages__isnull=False).distinct().count() - len(chosen),
        cut=cut,
    )


def definitions(document: Document, start: int, end: int) -> list[Found]:
    """Of the terms in the document's text from start to end, at most LONGEST_ASKED characters of it."""
    end = min(end, start + LONGEST_ASKED)
    pages = document.pages.filter(number__lte=MOST_PAGES).order_by("number")
    texts = [
        (at, PageText(number=number, text=text))
        for at, number, text in pages.values_list("start", "number", "text")
    ]
    words = "\n".join(
        page.text[max(0, start - at) : max(0, end - at)]
        for at, page in texts
        if at < end and start < at + len(page.text)
    )
    return [
        Found(document=document, placed=placed) for placed in defined_in(words, [page for _, page in texts])
    ]


def by_statement(found: Iterable[Found]) -> list[tuple[list[str], Found]]:
    """What one sentence defines, once: the words and the sentence, in the order of the first words."""
    grouped: dict[tuple[int, str], tuple[list[str], Found]] = {}
    for each in found:
        words, __ = grouped.setdefault((each.placed.page, each.placed.statement), ([], each))
        words.append(each.placed.point.label)
    return list(grouped.values())


def _first_of(documents: QuerySet[Document]) -> tuple[list[tuple[Document, int]], Document | None]:
    """Those that are read, each with how many of its pages; which of them is not read to its end."""
    counted = documents.annotate(stored=Count("pages")).filter(stored__gt=0)
    chosen: list[tuple[Document, int]] = []
    left = MOST_PAGES
    for document in counted[:MOST_PAGES]:
        if left <= 0:
            break
        most = min(left, document.stored)
        chosen.append((document, most))
        left -= most
        if most < document.stored:
            return chosen, document
    return chosen, None
