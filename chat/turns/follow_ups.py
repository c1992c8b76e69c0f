"""Follow-up questions to an answer, made from the text around its quotes; each is tried by a search before it
is shown.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from django.db import transaction
from django.db.models import Q

from answering.suggestions.proposals import Proposal, proposals
from answering.suggestions.subject_of_document import owner_of
from answering.suggestions.trial import Trial
from chat.models import Citation, Turn, TurnStatus
from citations.choices import OnPage
from datasources.masking import may_be_asked
from datasources.models import Document, DocumentStatus
from english.questions.of_sentences import is_alike
from ingestion.models import Chunk

SHOWN = 3
TRIALS = 9
SECONDS = 20.0  # after which no other question is tried: much, as a busy machine would find none
DOCUMENTS = 3  # that are cited
AROUND = 6  # chunks before and after a quote
FOLLOWED = (TurnStatus.ANSWERED, TurnStatus.PARTIAL, TurnStatus.QUOTES)


def made_for(turn: Turn) -> list[str] | None:
    """Up to three; None as long as they are not made."""
    return None if turn.follow_ups is None else [each["question"] for each in turn.follow_ups]


def make_follow_ups(turn: Turn) -> None:
    """Once, and stored with the turn. Raises ProviderError without an embedder."""
    if turn.follow_ups is None:
        turn.follow_ups = _kept(turn, list(_tried(turn))) if turn.status in FOLLOWED else []


def _tried(turn: Turn) -> Iterator[Proposal]:
    conversation = turn.conversation
    known = list(conversation.turns.values_list("question", flat=True))
    trial = Trial(conversation.datasource, among=turn.document_ids)
    begun, tried, found = time.monotonic(), 0, 0
    for proposal in _proposed(turn):
        if found == SHOWN or tried == TRIALS or time.monotonic() - begun > SECONDS:
            return
        if any(is_alike(proposal.question, question) for question in known) or not may_be_asked(
            conversation.datasource, proposal.question
        ):
            continue
        tried += 1
        if trial.proves(proposal):
            found += 1
            known.append(proposal.question)
            yield proposal


def _proposed(turn: Turn) -> Iterator[Proposal]:
    """From each cited document in turn, the most promising first; none that its quotes answer already."""
    cited: dict[int, list[Citation]] = {}
    for citation in turn.citations.select_related("document"):
        document = citation.document
        if citation.on_page != OnPage.ABSENT and document and document.status == DocumentStatus.READY:
            cited.setdefault(document.pk, []).append(citation)
    by_document = [_of_document(citations) for citations in list(cited.values())[:DOCUMENTS]]
    for group in zip_longest(*by_document):
        yield from filter(None, group)


def _of_document(citations: Sequence[Citation]) -> list[Proposal]:
    document = citations[0].document
    assert document is not None
    chunks = _around(document, citations)
    owner = owner_of(document, [chunk.text for chunk in chunks])
    quotes = [citation.quote for citation in citations]
    return [
        proposal
        for proposal in proposals(document.pk, document.title, chunks, owner)
        if not any(quote in proposal.source or proposal.source in quote for quote in quotes)
    ]


def _around(document: Document, citations: Sequence[Citation]) -> list[Chunk]:
    """The chunks with the quotes, and their neighbours."""
    chunks = document.chunks.searchable()
    near = Q(pk__in=[])
    for citation in citations:
        at = (
            chunks.filter(start__lte=citation.start or 0)
            .order_by("-start")
            .values_list("index", flat=True)
            .first()
        )
        if at is not None:
            near |= Q(index__range=(at - AROUND, at + AROUND))
    return list(chunks.filter(near).order_by("index"))


@transaction.atomic
def _kept(turn: Turn, found: Sequence[Proposal]) -> list[dict[str, Any]]:
    """Store them, without those made from a document that was deleted meanwhile."""
    named = {proposal.document_id for proposal in found}
    locked = Document.objects.select_for_update(no_key=True).filter(pk__in=named).order_by("pk")
    present = {document.pk for document in locked if document.status == DocumentStatus.READY}
    made = [
        {"question": proposal.question, "document": proposal.document_id}
        for proposal in found
        if proposal.document_id in present
    ]
    Turn.objects.filter(pk=turn.pk).update(follow_ups=made)
    return made
