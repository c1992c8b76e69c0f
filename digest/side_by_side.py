"""Two documents of a datasource side by side."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from datasources.models import Document
from digest.comparing import Became, Change, Statement, compared
from digest.reading import PageText, without_running_lines
from digest.statements import statements
from ingestion.section_paths import SectionPaths

MOST_PAGES = 400  # of each document


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A change under its heading."""

    change: Change
    heading: str


class SideBySide:
    """The older document, and the newer one."""

    def __init__(self, before: Document, after: Document) -> None:
        self.before, self.after = before, after

    @cached_property
    def changes(self) -> list[Change]:
        return compared(_statements(self.before), _statements(self.after))

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
        before, after = SectionPaths(self.before), SectionPaths(self.after)
        rows = []
        for change in self.changes:
            if change.became == Became.SAME or (meaning_alone and not change.meaning):
                continue
            if change.after:
                heading = after.at(change.after.offset)
            else:
                heading = before.at(change.before.offset) if change.before else ""
            rows.append(Shown(change=change, heading=heading))
        return rows


def _statements(document: Document) -> Sequence[Statement]:
    rows = list(document.pages.order_by("number").values_list("number", "start", "text")[:MOST_PAGES])
    pages = without_running_lines([PageText(number=number, text=text) for number, _, text in rows])
    starts = {number: start for number, start, _ in rows}
    return [
        Statement(
            text=" ".join(page.text[first:last].split()), page=page.number, offset=starts[page.number] + first
        )
        for page in pages
        for first, last in statements(page.text)
        if page.text[first:last].strip()
    ]
