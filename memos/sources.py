"""A memo's sources as pages and files show them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.kept_sources import as_now, documents_of
from chat.wording import together
from datasources.models import Document
from exchange.packs.facts import CURRENT, SAID_OF_QUOTE, state_of
from memos.citing import Cited, Source, in_order, uncited
from memos.models import Memo
from memos.quoting import changed_in

QUOTED_OTHERWISE = gettext_noop("quoted in other words in the text")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSource:
    """n: in the text. shown: in files; 0 where the text does not cite it. source: as Memo.sources has it, but
    said what is known of it now, with the address of the reader's page, empty without one.

    document: while it is there. since: a sentence on what became of the document since it was quoted; empty
    where nothing did.
    """

    n: int
    shown: int
    source: Source
    document: Document | None
    since: str


def cited_sources(memo: Memo, cited: Cited) -> list[ShownSource]:
    """In the order of the text."""
    return list(_shown(memo, cited, in_order(memo.sources, cited)))


def uncited_sources(memo: Memo, cited: Cited) -> list[ShownSource]:
    return list(_shown(memo, cited, uncited(memo.sources, cited)))


def _shown(memo: Memo, cited: Cited, sources: list[Source]) -> Iterable[ShownSource]:
    documents = documents_of(memo.datasource_id, sources)
    changed = changed_in(memo.text, memo.sources)
    for source in sources:
        document = documents.get(source["document"])
        state = state_of(document) if source["title"] else CURRENT
        now = as_now(source, memo.datasource_id, documents)
        if source["n"] in changed:
            now["said"] = together([now["said"], _(QUOTED_OTHERWISE)])
        yield ShownSource(
            n=source["n"],
            shown=cited.shown.get(source["n"], 0),
            source=now,
            document=document,
            since="" if state == CURRENT else _(SAID_OF_QUOTE[state]),
        )
