"""The headings of a document, each with its page, as the reader lists them."""

from dataclasses import dataclass

from datasources.models import Document
from ingestion.models import Section

MOST = 400  # entries; with more, only the outer levels are listed
DEEPEST = 5  # steps to the right


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """depth: 0 is the outermost that the document has. here: it is the last one that begins by this page."""

    name: str
    page: int
    depth: int
    here: bool


def of(document: Document, number: int) -> list[Entry]:
    """number: of the page that is shown."""
    sections = listed(document)
    here = _here(sections, number)
    outer = min((each.level for each in sections), default=1)
    return [
        Entry(name=each.name, page=each.page, depth=min(each.level - outer, DEEPEST), here=place == here)
        for place, each in enumerate(sections)
    ]


def listed(document: Document) -> list[Section]:
    """In reading order."""
    sections = list(document.sections.only("document", "name", "page", "level", "start").order_by("number"))
    while len(sections) > MOST and (deepest := max(each.level for each in sections)) > 1:
        sections = [each for each in sections if each.level < deepest]
    return sections[:MOST]


def _here(sections: list[Section], number: int) -> int:
    """The first that begins on the page, else the one in which the page lies."""
    on_page = [place for place, each in enumerate(sections) if each.page == number]
    before = [place for place, each in enumerate(sections) if each.page < number]
    return (on_page or before[-1:] or [-1])[0]
