"""What a bundle says is proved is looked up in its documents again: what another server says of a quote, its
claim or a cell is not taken on trust.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from django.apps import apps
from django.utils.module_loading import import_string
from django.utils.translation import gettext_noop

from chat.citation_rows.again import check_turn_again
from chat.models import Note, Turn
from chat.wording import IMPORTED, ON_PAGE
from citations.match import locate
from citations.place_in_file import place_in_file
from citations.where import where
from datasources.models import Document
from ingestion.chunks.chunking import PAGE_JOINER
from ingestion.models import Page
from localization.stored import said
from memos.models import Memo
from text.personal.personal_data import mask

MOST_PAGES, MOST_CHARACTERS = 10, 200_000  # that a quote is looked for on
NO_SOURCE = gettext_noop("not found in the imported documents")
Check = Callable[[int, Callable[[], object]], None]
CHECKS_OF_DESKS = {
    "tables": "exchange.bundles.cell_proofs.check_cells",
    "compliance": "exchange.bundles.finding_proofs.check_findings",
}


def check_proofs(datasource: int, go_on: Callable[[], object]) -> None:
    """Within the transaction that has stored the rows. `go_on` is called for each."""
    for turn in Turn.objects.filter(conversation__datasource=datasource).order_by("pk").iterator(200):
        check_turn_again(turn)
        go_on()
    for check in of_desks():
        check(datasource, go_on)
    pages = _Pages(Document.objects.filter(datasource=datasource).in_bulk())
    for kept in (Note, Memo):
        for each in kept.objects.filter(datasource=datasource).iterator(200):
            for source in each.sources:
                source |= _source_again(source, pages)
                go_on()
            each.save(update_fields=["sources"])


def of_desks() -> list[Check]:
    """Those of the desks that this server has."""
    return [
        import_string(path) for desk, path in CHECKS_OF_DESKS.items() if apps.is_installed(f"desks.{desk}")
    ]


class _Pages:
    """The text of pages that sources name one after the other, plain and masked."""

    def __init__(self, documents: dict[int, Document]) -> None:
        self.documents = documents
        self._of = lru_cache(100)(self._read)

    def of(self, document: Document, numbers: Sequence[int]) -> tuple[list[Page], str, str]:
        """The first of them with those that follow it, joined, and the same masked. They have MOST_PAGES and
        MOST_CHARACTERS at most.
        """
        named = sorted(set(numbers))[:MOST_PAGES]
        return self._of(document.pk, tuple(n for at, n in enumerate(named) if n == named[0] + at))

    def _read(self, document: int, numbers: tuple[int, ...]) -> tuple[list[Page], str, str]:
        pages = list(Page.objects.filter(document=document, number__in=numbers).order_by("number"))
        text = PAGE_JOINER.join(page.text for page in pages)[:MOST_CHARACTERS]
        return pages, text, mask(text)


def _source_again(source: dict[str, Any], known: _Pages) -> dict[str, Any]:
    """A note's or memo's: its quote is looked for on the pages that it names. What was found out about a
    claim is left out: here nobody has read that.
    """
    lost = {**source, "document": None, "title": "", "pages": [], "where": "", "said": NO_SOURCE}
    document = known.documents.get(source["document"] or 0)
    if document is None:
        return lost
    pages, text, masked = known.of(document, source["pages"])
    about = {"said": f"{ON_PAGE}; {IMPORTED}", "words": [said(each).words for each in (ON_PAGE, IMPORTED)]}
    found = {**source, "title": document.title, **about}
    if located := locate(source["quote"], text, slips=False):
        start = pages[0].start + located.start
        end = start + len(located.quote)
        over = [page for page in pages if page.start < end and start < page.start + len(page.text)]
        place = place_in_file(document, over[0].number, start, end) if over else ""
        numbers = [page.number for page in over]
        return {**found, "quote": located.quote, "pages": numbers, "where": where(numbers, place)}
    if masked != text and locate(source["quote"], masked, slips=False):
        numbers = [page.number for page in pages]
        return {**found, "pages": numbers, "where": where(numbers, "")}
    return lost
