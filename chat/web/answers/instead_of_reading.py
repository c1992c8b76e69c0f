"""What SVQ shows of whole documents without a language model: links beside a question that needs one."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from answering.stages.pointing import NEEDS_MODEL
from answering.whole.asking import Wanted, meant, wanted
from chat.models import Turn
from retrieval.query import Scope
from retrieval.whole_documents import Readable, readable

CHOOSE = gettext_lazy("Choose the two: open one of them, then “Side by side with another document”")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    address: str
    text: str


def links_of(turn: Turn) -> Sequence[Link]:
    """Of the documents that the question means; to all of the datasource where that is not clear. None for
    other questions.
    """
    if all(notice["code"] != NEEDS_MODEL for notice in turn.notices):
        return []
    question = turn.question if wanted(turn.question) else turn.standalone
    datasource = turn.conversation.datasource_id
    chosen = frozenset(turn.document_ids) if turn.document_ids is not None else None
    scope = Scope(user_id=turn.conversation.user_id, datasource_id=datasource, document_ids=chosen)
    documents = meant(question, readable(scope))
    if wanted(question) == Wanted.COMPARISON:
        return _comparisons(datasource, documents)
    if not documents:
        return [Link(address=reverse("glance", args=[datasource]), text=_("All documents at a glance"))]
    return [
        Link(
            address=reverse("document_glance", args=[datasource, each.id]),
            text=_("{title} at a glance").format(title=each.title),
        )
        for each in documents
    ]


def _comparisons(datasource: int, documents: Sequence[Readable]) -> Sequence[Link]:
    """Of each with the next; where fewer are named, the way to choose."""
    if not documents:
        return [Link(address=reverse("documents", args=[datasource]), text=str(CHOOSE))]
    if len(documents) == 1:
        address = reverse("compare_documents", args=[datasource, documents[0].id])
        return [
            Link(address=address, text=_("{title} beside another document").format(title=documents[0].title))
        ]
    return [_compared(datasource, *pair) for pair in pairwise(documents)]


def _compared(datasource: int, one: Readable, other: Readable) -> Link:
    address = reverse("compare_documents", args=[datasource, one.id])
    told = _("{title} beside {other}").format(title=one.title, other=other.title)
    return Link(address=f"{address}?with={other.id}", text=told)
