"""Multi-source questions by rule: two single-source ones of different documents, joined along the graph.

Two passages belong together when one thing is named in both, or a relation leads from one to the other.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from django.db.models import F

from datasources.models import Datasource
from desks.evaluation.models import Kind
from desks.evaluation.questions.draft import Draft
from graph.models import EntityMention, Relation
from ingestion.models import Chunk

MOST_DOCUMENTS = 0.5  # of all, at least 4: what nearly every document names joins nothing
PAIRS = 12  # of questions, for each thing that joins their documents
_SAME_FIGURE = ("row", "value", "change")


def multi_source(datasource: Datasource, singles: Sequence[Draft]) -> Iterator[Draft]:
    """The closest pairs first: the same figure of two documents, then what one thing joins.

    Nobody asks for the cells of two tables in one sentence, so those join nothing.
    """
    yield from _compared(singles)
    yield from _joined(datasource, [draft for draft in singles if draft.template != "cell"])


def _compared(singles: Sequence[Draft]) -> Iterator[Draft]:
    """The same row or value in two documents: "Compare ... with ...", which neither can answer alone."""
    by_subject: dict[str, list[Draft]] = defaultdict(list)
    for draft in singles:
        if draft.template in _SAME_FIGURE:
            by_subject[draft.subject.lower()].append(draft)
    for alike in by_subject.values():
        for one, other in combinations(alike[: 2 * PAIRS], 2):
            if set(one.documents).isdisjoint(other.documents):
                asked = _asked_for(other.text)
                yield _both(one, other, f"{one.text.rstrip('?')}, and {asked}?", "comparison")


def _joined(datasource: Datasource, singles: Sequence[Draft]) -> Iterator[Draft]:
    """Passages that name one thing, or two that a relation joins."""
    by_chunk = _by_chunk(datasource, singles)
    chunks_of: dict[int, set[int]] = defaultdict(set)
    quoting: dict[int, list[Draft]] = defaultdict(
        list
    )  # that name the thing in the very words of their proof
    mentions = EntityMention.objects.filter(
        datasource=datasource, chunk__in=by_chunk, live=True, named__entity__hidden=False
    )
    for entity, chunk, at in mentions.values_list("named__entity", "chunk", F("chunk__start") + F("start")):
        chunks_of[entity].add(chunk)
        quoting[entity] += [draft for draft in by_chunk[chunk] if _quotes(draft, at)]
    for entity in sorted(quoting, key=lambda pk: (len(quoting[pk]), pk)):
        drafts = list({draft.text: draft for draft in quoting[entity]}.values())
        yield from _pairs(drafts, drafts, "thing in both")
    documents = datasource.documents.ready().count()
    for entity in sorted(chunks_of, key=lambda pk: (len(chunks_of[pk]), pk)):
        drafts = _drafts(chunks_of[entity], by_chunk)
        if len({d for draft in drafts for d in draft.documents}) <= max(4, MOST_DOCUMENTS * documents):
            yield from _pairs(drafts, drafts, "shared thing")
    related = Relation.objects.filter(source__in=chunks_of, target__in=chunks_of).order_by("-strength", "pk")
    for source, target in related.values_list("source", "target")[: 50 * PAIRS]:
        ours, theirs = _drafts(chunks_of[source], by_chunk), _drafts(chunks_of[target], by_chunk)
        yield from _pairs(ours, theirs, "relation")


def _by_chunk(datasource: Datasource, singles: Sequence[Draft]) -> dict[int, list[Draft]]:
    """The drafts by the chunk that their first proof stands in."""
    of_document: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    chunks = Chunk.objects.filter(datasource=datasource).searchable()
    for pk, document, start, end in chunks.values_list("pk", "document", "start", "end"):
        of_document[document].append((start, end, pk))
    found: dict[int, list[Draft]] = defaultdict(list)
    for draft in singles:
        proof = draft.proofs[0]
        if proof.document_id is None or proof.start is None or proof.end is None:
            continue
        for start, end, pk in of_document[proof.document_id]:
            if start <= proof.start and proof.end <= end:
                found[pk].append(draft)
                break
    return found


def _quotes(draft: Draft, position: int) -> bool:
    """Whether what stands there is within the words that prove the answer."""
    first = draft.proofs[0]
    return first.start is not None and first.end is not None and first.start <= position < first.end


def _drafts(chunks: set[int], by_chunk: dict[int, list[Draft]]) -> list[Draft]:
    return [draft for pk in sorted(chunks) for draft in by_chunk[pk][:2]]


def _pairs(ours: Sequence[Draft], theirs: Sequence[Draft], template: str) -> Iterator[Draft]:
    given = 0
    for one in ours:
        for other in theirs:
            if given < PAIRS and set(one.documents).isdisjoint(other.documents) and one.text != other.text:
                given += 1
                yield _both(one, other, f"{one.text.rstrip('?')}, and {_asked_for(other.text)}?", template)


def _both(one: Draft, other: Draft, text: str, template: str) -> Draft:
    second = tuple(replace(proof, piece=1) for proof in other.proofs)
    return Draft(
        kind=Kind.MULTI,
        text=text,
        reference=f"{one.reference}\n{other.reference}",
        proofs=(*one.proofs, *second),
        template=template,
        subject=f"{one.subject} / {other.subject}",
    )


def _asked_for(question: str) -> str:
    """The question as the second half of another: "what was ..."."""
    return question[0].lower() + question[1:].rstrip("?")
