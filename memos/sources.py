"""A memo's sources as pages and files show them."""

from collections.abc import Iterable
from dataclasses import dataclass

from chat.notebook import address_of
from datasources.models import Document
from memos.citing import Cited, Source, in_order, uncited
from memos.models import Memo
from packs.facts import CURRENT, DELETED, SAID_OF_QUOTE, state_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSource:
    """n: in the text. shown: in files; 0 where the text does not cite it. source: as Memo.sources has it.

    document: while it is there. address: of the reader's page, empty without one. since: a sentence on what
    became of the document since it was quoted; empty where nothing did.
    """

    n: int
    shown: int
    source: Source
    document: Document | None
    address: str
    since: str


def cited_sources(memo: Memo, cited: Cited) -> list[ShownSource]:
    """In the order of the text."""
    return list(_shown(memo, cited, in_order(memo.sources, cited)))


def uncited_sources(memo: Memo, cited: Cited) -> list[ShownSource]:
    return list(_shown(memo, cited, uncited(memo.sources, cited)))


def _shown(memo: Memo, cited: Cited, sources: list[Source]) -> Iterable[ShownSource]:
    named = {source["document"] for source in sources} - {None}
    documents = Document.objects.filter(datasource=memo.datasource_id).in_bulk(named)
    for source in sources:
        document = documents.get(source["document"])
        state = state_of(document) if source["title"] else CURRENT
        is_there = document is not None and state != DELETED
        yield ShownSource(
            n=source["n"],
            shown=cited.shown.get(source["n"], 0),
            source=source,
            document=document if is_there else None,
            address=address_of(memo.datasource_id, source) if is_there else "",
            since="" if state == CURRENT else SAID_OF_QUOTE[state],
        )
