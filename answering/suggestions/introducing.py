"""Makes the introduction to a datasource: questions that were tried, and a description."""

import logging
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from answering.suggestions import by_model
from answering.suggestions.description import describe
from answering.suggestions.proposals import Proposal, proposals, read_of
from answering.suggestions.subject_of_document import owner_of
from answering.suggestions.trial import Trial
from answering.suggestions.which_document import told_apart
from datasources.masking import may_be_asked, shown
from datasources.models import Datasource, Document, DocumentStatus, Introduction
from english.questions.of_sentences import is_alike
from ingestion.models import Chunk
from providers.protocols import ProviderError

logger = logging.getLogger(__name__)

QUESTIONS = 4  # offered, besides those that were set by hand
ENOUGH = 3  # of those set by hand, so that no more are made
DOCUMENTS = 8  # that are read for it, the newest ones
TRIALS = 12  # of made questions
SECONDS = 30.0  # after which no other question is tried
SAME_KIND = 0.6  # worth less, for each question of its kind that is offered already
FAILED = 0.5  # of a question, for each of its document's that was tried in vain


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A question whose quotes were found, and the documents that they are from."""

    question: str
    documents: Sequence[int]


def introduce(datasource: Datasource) -> None:
    """Make it again from the documents that are ready now. Raises ProviderError without an embedder."""
    documents = _newest(datasource)
    chunks = {document.pk: _chunks_of(document) for document in documents}
    texts = [[chunk.text for chunk in some] for some in chunks.values()]
    trial = Trial(datasource)
    offered = list(_set_by_hand(datasource, trial))
    described = ""
    if len(offered) < ENOUGH and documents:
        written = _written(datasource, documents, chunks)
        described = written.description
        by_document = {document.pk: _proposals(document, chunks) for document in documents}
        for proposed in (written.by_document, by_document):
            offered += try_out(proposed, trial, offered)
    keep(datasource, offered, described or describe(documents, texts), documents)


def is_outdated(datasource: Datasource) -> bool:
    """Whether a new one is worth its cost while more documents are being read.

    Only if its documents have changed, and after twice the time: an upload may take a night.
    """
    made = Introduction.objects.filter(datasource=datasource).first()
    if made is None:
        return True
    documents = _newest(datasource)
    if [document.pk for document in documents] == made.documents:
        return False
    first = datasource.documents.ready().aggregate(first=Min("ready_at"))["first"]
    return first is None or timezone.now() - made.made >= made.made - first


def try_out(
    proposed: Mapping[int, Sequence[Proposal]], trial: Trial, offered: Sequence[Offered]
) -> list[Offered]:
    """Questions that their documents prove to answer, taken from all documents in turn."""
    waiting = {pk: list(some) for pk, some in proposed.items()}
    found: list[Offered] = []
    kinds: Counter[str] = Counter()
    tried: Counter[int] = Counter(dict.fromkeys(waiting, 0))
    begun, trials = time.monotonic(), 0
    while len(offered) + len(found) < QUESTIONS and trials < TRIALS and time.monotonic() - begun < SECONDS:
        pk = min((pk for pk in waiting if waiting[pk]), key=lambda pk: tried[pk], default=None)
        if pk is None:
            break
        best = max(waiting[pk], key=lambda one: one.worth - SAME_KIND * kinds[one.kind])
        waiting[pk].remove(best)
        if any(is_alike(best.question, other.question) for other in (*offered, *found)):
            continue
        trials += 1
        tried[pk] += 1
        if trial.proves(best):
            found.append(Offered(question=best.question, documents=[pk]))
            kinds[best.kind] += 1
            tried[pk] += 1
    return found


@transaction.atomic
def keep(
    datasource: Datasource, offered: Sequence[Offered], description: str, documents: Sequence[Document]
) -> None:
    """Store it, without what was made from a document that was deleted meanwhile."""
    named = {pk for one in offered for pk in one.documents} | {document.pk for document in documents}
    locked = Document.objects.select_for_update(no_key=True).filter(pk__in=named).order_by("pk")
    present = {document.pk for document in locked if document.status == DocumentStatus.READY}
    if not Datasource.objects.filter(pk=datasource.pk).exists():
        return
    described = [document.pk for document in documents]
    Introduction.objects.update_or_create(
        datasource=datasource,
        defaults={
            "questions": [
                {"question": one.question, "documents": list(one.documents)}
                for one in offered
                if present.issuperset(one.documents) and may_be_asked(datasource, one.question)
            ],
            "description": shown(description, datasource.pk) if present.issuperset(described) else "",
            "documents": described if present.issuperset(described) else [],
        },
    )


def forget(datasource_id: int, documents: Collection[int]) -> None:
    """Delete what was made from the documents; joins the caller's transaction."""
    gone = set(documents)
    made = Introduction.objects.select_for_update().filter(datasource=datasource_id).first()
    if made is None or not gone:
        return
    made.questions = [one for one in made.questions if not is_of_any(one, gone)]
    if gone.intersection(made.documents):
        made.description, made.documents = "", []
    made.save()


def is_of_any(question: Any, documents: Collection[int]) -> bool:
    """Whether a stored question was made from one of these. One that doesn't say so as it should may have
    been: nothing in a row holds up a deletion.
    """
    named = question.get("documents") if isinstance(question, dict) else None
    if not isinstance(named, list) or not all(isinstance(each, int) for each in named):
        return True
    return not set(documents).isdisjoint(named)


def _newest(datasource: Datasource) -> list[Document]:
    return list(datasource.documents.ready().order_by("-ready_at", "-pk")[:DOCUMENTS])


def _set_by_hand(datasource: Datasource, trial: Trial) -> Iterator[Offered]:
    """Those that the documents can answer now."""
    for question in datasource.suggested_questions:
        if documents := trial.documents(question):
            yield Offered(question=question, documents=documents)


def _chunks_of(document: Document) -> list[Chunk]:
    """Those that are read, without their vectors."""
    return read_of(list(document.chunks.searchable().order_by("index")))


def _proposals(document: Document, chunks: Mapping[int, Sequence[Chunk]]) -> list[Proposal]:
    """Each says which document it speaks of, where it might be another one of these."""
    own = chunks[document.pk]
    owner = owner_of(document, [chunk.text for chunk in own])
    others = [
        "\n".join(chunk.text for chunk in some) for pk, some in chunks.items() if pk != document.pk and some
    ]
    named = (
        replace(one, question=told_apart(one.question, document.title, others))
        for one in proposals(document.pk, document.title, own, owner)
    )
    return [one for one in named if one.question]


def _written(
    datasource: Datasource, documents: Sequence[Document], chunks: Mapping[int, Sequence[Chunk]]
) -> by_model.Written:
    """What the model in the agent's role proposes; nothing without one, or if it does not answer."""
    try:
        return by_model.ask(datasource, documents, chunks)
    except ProviderError as error:
        logger.warning("no introduction by a model to datasource %s: %s", datasource.pk, error)
        return by_model.Written()
