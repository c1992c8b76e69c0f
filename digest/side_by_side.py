"""Two documents of a datasource side by side."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from datasources.models import Document
from digest.amending import amended
from digest.comparing import Became, Change, Sentence, compared
from digest.reading import PageText, is_understood, without_running_lines
from digest.statements import statements
from english.contracts.amendments import amends
from english.contracts.clauses import number_of_clause
from english.contracts.instrument_days import day_made
from ingestion.chunks.section_paths import SectionPaths
from ingestion.models import Page
from ingestion.structure.headings import JOINER
from localization.numbers import numeral
from reader.beginnings import BEGINS, beginning_of

MOST_PAGES = 400  # of each document


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A change under its heading. clause: the number of that of the older document, where both stand beside
    each other first.
    """

    change: Change
    heading: str
    clause: str

    @property
    def is_pair(self) -> bool:
        """Whether something of one document is held against something of the other."""
        return bool(self.change.before and self.change.after)


def in_order(one: Document, other: Document) -> tuple[Document, Document]:
    """The older one first: by the days on which they say they were made, else by when they were added, as
    versions of one document always are. What amends the other is the newer one.
    """
    for first, second in ((one, other), (other, one)):
        if is_amended_by(first, second):
            return first, second
    days = (
        {each: day_made(beginning_of(each.pk)) for each in (one, other)}
        if not _are_versions(one, other)
        else {}
    )
    by_day = len(set(days.values()) - {None}) == 2
    first, second = sorted((one, other), key=lambda each: (days[each] if by_day else each.created, each.pk))
    return first, second


def is_amended_by(before: Document, after: Document) -> bool:
    """“Amendment No. 1 to the Agreement”, “It is supplemental to the Lease”, by its title and first page."""
    return amends(after.title, beginning_of(after.pk), before.title, beginning_of(before.pk))


def amended_or_amending(document: Document, others: QuerySet[Document]) -> Document | None:
    """The first of these that it amends, else the first that amends it."""
    pages = Page.objects.filter(document__in=[each.pk for each in others], number=1)
    texts = dict(pages.values_list("document", BEGINS))
    own = beginning_of(document.pk)
    told = [(each, texts.get(each.pk, "")) for each in others]
    changed = (each for each, text in told if amends(document.title, own, each.title, text))
    changing = (each for each, text in told if amends(each.title, text, document.title, own))
    return next(changed, None) or next(changing, None)


def _are_versions(one: Document, other: Document) -> bool:
    """Whether one has replaced the other, at once or by versions between them."""
    newer, older = (one, other) if one.version > other.version else (other, one)
    before: Document | None = newer
    while before and before.version > older.version:
        before = before.replaces
    return before == older


class SideBySide:
    """The older document, and the newer one."""

    def __init__(self, before: Document, after: Document) -> None:
        self.before, self.after = before, after

    @cached_property
    def is_amendment(self) -> bool:
        """Whether the newer one amends the older: what it does not name stays as it was."""
        return is_amended_by(self.before, self.after)

    @cached_property
    def changes(self) -> list[Change]:
        before, after = _statements(self.before), _statements(self.after)
        if self.is_amendment:
            return amended(before, _without_headings(self.after, after))
        return compared(before, after)

    @cached_property
    def is_understood(self) -> bool:
        """Whether the duties of both can be told: they are in English."""
        return all(is_understood(beginning_of(each.pk)) for each in (self.before, self.after))

    @cached_property
    def counts(self) -> Counter[Became]:
        return Counter(change.became for change in self.changes)

    @property
    def is_same(self) -> bool:
        return set(self.counts) == {Became.SAME}

    @property
    def is_cut(self) -> bool:
        """Whether one of them has more pages than were compared."""
        return any((each.page_count or 0) > MOST_PAGES for each in (self.before, self.after))

    def shown(self, *, meaning_alone: bool = False) -> list[Shown]:
        """What is not the same, each under the headings that it stands under."""
        before, after = SectionPaths.of(self.before), SectionPaths.of(self.after)
        rows: list[Shown] = []
        clauses: set[str] = set()
        for change in self.changes:
            if change.became == Became.SAME or (meaning_alone and not change.meaning):
                continue
            if change.after:
                heading = after.at(change.after.offset)
            else:
                heading = before.at(change.before.offset) if change.before else ""
            number = number_of_clause(change.before.text) if change.before and change.after else ""
            rows.append(Shown(change=change, heading=heading, clause="" if number in clauses else number))
            clauses.add(number)
        return rows

    @property
    def names(self) -> tuple[str, str]:
        """Of both documents, with their versions where they have any."""
        both = (self.before, self.after)
        if all(each.version == 1 for each in both):
            return self.before.title, self.after.title
        told = _("{title}, version {n}")
        before, after = (told.format(title=each.title, n=numeral(each.version)) for each in both)
        return before, after


def _without_headings(document: Document, statements: Sequence[Sentence]) -> list[Sentence]:
    """Those that are no headings, which head the rows anyhow."""
    paths = SectionPaths.of(document)
    return [
        each
        for each in statements
        if each.text not in (document.title, paths.at(each.offset).rsplit(JOINER, 1)[-1])
    ]


def _statements(document: Document) -> Sequence[Sentence]:
    rows = list(document.pages.order_by("number").values_list("number", "start", "text")[:MOST_PAGES])
    pages = without_running_lines([PageText(number=number, text=text) for number, _, text in rows])
    starts = {number: start for number, start, _ in rows}
    return [
        Sentence(
            text=" ".join(page.text[first:last].split()), page=page.number, offset=starts[page.number] + first
        )
        for page in pages
        for first, last in statements(page.text)
        if any(map(str.isalnum, page.text[first:last]))
    ]
