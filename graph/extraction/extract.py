"""Which extractor reads a datasource's chunks, and keeping what a model makes of them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import takewhile
from time import monotonic

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet

from datasources.models import Datasource, Document, DocumentStatus
from events import log
from graph.extraction.grounding import NamedRelation, NamedThing, Text, ground
from graph.extraction.llm import cache as cache
from graph.extraction.llm.budget import Budget, Estimate, budget_of, estimate_texts, record, spend
from graph.extraction.llm.extractor import ModelReader, Outcome
from graph.extraction.llm.schema import STRENGTHS, ModelAnswer
from graph.extraction.rules.extractor import Rules
from graph.models import (
    CachedExtraction,
    ChunkExtraction,
    EntityMention,
    ExtractionState,
    GraphExtractor,
    GraphSettings,
)
from graph.values.extraction import Extraction
from ingestion import progress
from ingestion.models import Chunk
from ingestion.run import DocumentRun
from providers.protocols import Usage
from providers.roles import ModelRole, endpoint, structured_model

KEYWORD_LENGTH = 60
ANNOUNCE_EVERY = 0.5  # seconds between two events about the spending
# The name of an extractor, chunks, and what it found in each.
ExtractedChunks = tuple[str, Sequence[Chunk], Sequence[Extraction]]
OVER_BUDGET = "The budget of this datasource is used up. Raise it, and reading goes on here."


def by_model(datasource: Datasource) -> bool:
    """Whether a chat model reads for the graph: it has to be chosen, and there has to be one."""
    chosen = GraphSettings.objects.of(datasource).extractor == GraphExtractor.MODEL
    return chosen and endpoint(datasource, ModelRole.EXTRACTION) is not None


def extract_mentions(run: DocumentRun, chunks: Sequence[Chunk]) -> list[ExtractedChunks]:
    """What the document's chunks (all of them, in order) say, by extractor.

    Where the model could not read, the rules do; a later retry takes the place of theirs. Raises Stopped.
    """
    read = _extract_by_model(run, chunks) if by_model(run.document.datasource) else []
    settled = {chunk.pk for _, own, _ in read for chunk in own}
    if len(settled) == len(chunks):
        return read
    ruled = zip(chunks, Rules().extract(run.document.title, [chunk.text for chunk in chunks]), strict=True)
    left = [(chunk, found) for chunk, found in ruled if chunk.pk not in settled]
    return [*read, (Rules.name, [chunk for chunk, _ in left], [found for _, found in left])]


def _extract_by_model(run: DocumentRun, chunks: Sequence[Chunk]) -> list[ExtractedChunks]:
    done = 0

    def kept(count: int) -> None:
        nonlocal done
        done += count
        with run.writing():
            run.advance(done)
        run.tick()

    reader = reader_of(run.document.datasource)
    read_chunks(run.document.datasource, reader, chunks, kept)
    return found_by(reader, chunks)


def reader_of(datasource: Datasource) -> ModelReader:
    model = structured_model(datasource, ModelRole.EXTRACTION)
    assert model, "asked only where by_model holds"
    return ModelReader(
        model=model, types=GraphSettings.objects.of(datasource).types, concurrency=settings.GRAPH_CONCURRENCY
    )


def extractor_name(reader: ModelReader) -> str:
    return f"model {reader.model.name}"[:80]


# --- reading ---------------------------------------------------------------------------------------------
def read_chunks(
    datasource: Datasource, reader: ModelReader, chunks: Sequence[Chunk], kept: Callable[[int], None]
) -> bool:
    """Have the chunks read that are not, as far as budget and server go; whether none had to be left.

    `kept` is told how many chunks are finished, 0 once a second while none is; what it raises ends the
    reading. Equal texts are read once; answers that come while others are stored are stored together next.
    """
    waiting: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        waiting[chunk.text].append(chunk)
    for texts in _portions(list(waiting)):
        kept(_tie_cached(datasource, reader, {text: waiting[text] for text in texts}))
    known = cache.cached(waiting, reader.prompt_hash, reader.model.name)
    left = {text: group for text, group in waiting.items() if cache.content_hash(text) not in known}
    budget = budget_of(datasource, reader.overhead)
    told = 0.0

    def keep(outcomes: Sequence[Outcome[ModelAnswer]]) -> None:
        nonlocal told
        groups = {outcome.text: left.pop(outcome.text) for outcome in outcomes}
        for outcome in outcomes:
            budget.settle(outcome.text, outcome.usage)
        if outcomes:
            _keep(datasource, reader, outcomes, groups)
        if outcomes and monotonic() - told >= ANNOUNCE_EVERY:
            told = monotonic()
            announce_spending(datasource)
        kept(sum(map(len, groups.values())))

    if left:
        async_to_sync(_read)(reader, list(left), budget, keep)
        announce_spending(datasource)
        _leave(datasource, left, reader.gave_up)
    return not left


async def _read(
    reader: ModelReader,
    texts: Sequence[str],
    budget: Budget,
    keep: Callable[[Sequence[Outcome[ModelAnswer]]], None],
) -> None:
    async with aclosing(reader.read(takewhile(budget.reserve, texts))) as read:
        async for outcomes in read:
            await sync_to_async(keep)(outcomes)


def _portions(texts: list[str], size: int = 500) -> Iterable[list[str]]:
    return (texts[start : start + size] for start in range(0, len(texts), size))


def announce_spending(datasource: Datasource) -> None:
    """Let pages that are open show what has been spent."""
    so_far = spend(datasource)
    data = {
        "calls": so_far.calls,
        "tokens": so_far.tokens,
        "money": None if so_far.money is None else str(so_far.money),
    }
    log.append(progress.channel(datasource.pk), "extraction_progressed", data, ephemeral=True)


def _tie_cached(datasource: Datasource, reader: ModelReader, groups: dict[str, list[Chunk]]) -> int:
    """Tie answers that are there already to their chunks; gives the number of chunks."""
    with transaction.atomic():
        alive = _alive(chunk for group in groups.values() for chunk in group)
        cache.lock()
        known = cache.cached(groups, reader.prompt_hash, reader.model.name)
        tied = set(
            ChunkExtraction.objects.filter(
                chunk__in=alive, state=ExtractionState.DONE, cached__in=list(known.values())
            ).values_list("chunk_id", flat=True)
        )
        answered = {text: known[h] for text in groups if (h := cache.content_hash(text)) in known}
        new = [
            (chunk, answer)
            for text, answer in answered.items()
            for chunk in groups[text]
            if chunk.pk in alive and chunk.pk not in tied
        ]
        if new:
            _tie([_done(chunk, answer) for chunk, answer in new])
            record(datasource.pk, reader.model.name, cached=len(new))
    return sum(len(groups[text]) for text in answered)


def _keep(
    datasource: Datasource,
    reader: ModelReader,
    outcomes: Sequence[Outcome[ModelAnswer]],
    groups: dict[str, list[Chunk]],
) -> None:
    """Store answers with their price. Chunks that are gone meanwhile get none, but it was paid for."""
    calls, usage = sum(o.calls for o in outcomes), sum((o.usage for o in outcomes), Usage())
    with transaction.atomic():
        alive = _alive(chunk for group in groups.values() for chunk in group)
        record(datasource.pk, reader.model.name, calls=calls, usage=usage)
        cache.lock()
        answers = cache.keep(
            [
                CachedExtraction(
                    content=cache.content_hash(outcome.text), prompt=reader.prompt_hash,
                    model=reader.model.name, answer=outcome.reading.model_dump(),
                    prompt_tokens=outcome.usage.prompt_tokens,
                    completion_tokens=outcome.usage.completion_tokens,
                )
                for outcome in outcomes
                if outcome.reading and any(chunk.pk in alive for chunk in groups[outcome.text])
            ]
        )  # fmt: skip
        _tie(
            [
                _done(chunk, answers[cache.content_hash(outcome.text)])
                if outcome.reading
                else _undone(chunk, ExtractionState.FAILED, outcome.error)
                for outcome in outcomes
                for chunk in groups[outcome.text]
                if chunk.pk in alive
            ]
        )


def _leave(datasource: Datasource, groups: dict[str, list[Chunk]], gave_up: str) -> None:
    """Say of the chunks that were not reached why."""
    chunks = [chunk for group in groups.values() for chunk in group]
    state = ExtractionState.FAILED if gave_up else ExtractionState.WAITING
    with transaction.atomic():
        present = _alive(chunks)
        _tie([_undone(chunk, state, gave_up or OVER_BUDGET) for chunk in chunks if chunk.pk in present])


def _alive(chunks: Iterable[Chunk]) -> set[int]:
    """The chunks that still exist; their documents can't be deleted before the transaction ends."""
    documents = {chunk.pk: chunk.document_id for chunk in chunks}
    rows = Document.objects.filter(pk__in=set(documents.values())).order_by("pk")
    locked = list(rows.select_for_update(no_key=True).values_list("pk", flat=True))
    alive = Chunk.objects.filter(pk__in=list(documents), document__in=locked)
    return set(alive.values_list("pk", flat=True))


def _done(chunk: Chunk, answer: CachedExtraction) -> ChunkExtraction:
    words = [word[:KEYWORD_LENGTH] for word in answer.answer["keywords"]]
    return ChunkExtraction(
        chunk=chunk, datasource_id=chunk.datasource_id, document_id=chunk.document_id,
        state=ExtractionState.DONE, cached=answer, keywords=words,
    )  # fmt: skip


def _undone(chunk: Chunk, state: ExtractionState, error: str) -> ChunkExtraction:
    return ChunkExtraction(
        chunk=chunk, datasource_id=chunk.datasource_id, document_id=chunk.document_id, state=state,
        error=error,
    )  # fmt: skip


def _tie(states: Sequence[ChunkExtraction]) -> None:
    """Write what became of chunks; answers that nothing is tied to any more go."""
    before = cache.of_chunks(state.chunk_id for state in states)
    ChunkExtraction.objects.bulk_create(
        states,
        update_conflicts=True,
        unique_fields=["chunk"],
        update_fields=["state", "error", "cached", "keywords"],
        batch_size=1000,
    )
    cache.drop_unused(before)


# --- what was read ---------------------------------------------------------------------------------------
def readings(reader: ModelReader, chunks: Sequence[Chunk]) -> dict[int, Extraction]:
    """What the reader's model found, by chunk id; only chunks that it has read as it would now."""
    done = ChunkExtraction.objects.filter(
        chunk__in=[chunk.pk for chunk in chunks],
        state=ExtractionState.DONE,
        cached__prompt=reader.prompt_hash,
        cached__model=reader.model.name,
    ).select_related("cached")
    answers = {row.chunk_id: row.cached.answer for row in done if row.cached}
    titles = dict(Document.objects.filter(pk__in={c.document_id for c in chunks}).values_list("pk", "title"))
    return {
        chunk.pk: extraction(
            chunk.text, ModelAnswer.model_validate(answers[chunk.pk]), titles[chunk.document_id]
        )
        for chunk in chunks
        if chunk.pk in answers
    }


def found_by(reader: ModelReader, chunks: Sequence[Chunk]) -> list[ExtractedChunks]:
    """The same as mentions to be stored; empty when nothing was read."""
    read = readings(reader, chunks)
    own = [chunk for chunk in chunks if chunk.pk in read]
    return [(extractor_name(reader), own, [read[chunk.pk] for chunk in own])] if own else []


def extraction(text: str, reading: ModelAnswer, title: str = "") -> Extraction:
    """A model's reading at the words of the text it is about. Strengths become 0.1 to 1."""
    things = [
        NamedThing(name=e.name, types=tuple(e.types), description=e.description) for e in reading.entities
    ]
    said = [
        NamedRelation(
            source=r.source, target=r.target, description=r.description or f"{r.source} {r.type} {r.target}",
            keywords=tuple(dict.fromkeys([*([r.type] if r.type else []), *r.keywords])),
            strength=round(r.strength / STRENGTHS[1], 3),
        )
        for r in reading.relations
    ]  # fmt: skip
    return ground(Text(text), things, said, title)


# --- what is left ----------------------------------------------------------------------------------------
def unread(datasource: Datasource) -> QuerySet[Chunk]:
    """Chunks of ready documents that the model has neither read nor failed at."""
    settled = ChunkExtraction.objects.filter(
        datasource=datasource, state__in=[ExtractionState.DONE, ExtractionState.FAILED]
    )
    ready = Chunk.objects.filter(datasource=datasource, document__status=DocumentStatus.READY)
    return ready.exclude(pk__in=settled.values("chunk_id")).order_by("document_id", "index")


def unlinked(datasource: Datasource, reader: ModelReader) -> QuerySet[Chunk]:
    """Chunks that the model has read while the graph still says of them what the rules found: the worker was
    killed in between.
    """
    read = ChunkExtraction.objects.filter(
        datasource=datasource,
        state=ExtractionState.DONE,
        cached__prompt=reader.prompt_hash,
        cached__model=reader.model.name,
    )
    ruled = EntityMention.objects.filter(datasource=datasource, extractor=Rules.name, live=True)
    ready = Chunk.objects.filter(datasource=datasource, document__status=DocumentStatus.READY)
    both = ready.filter(pk__in=read.values("chunk_id")).filter(pk__in=ruled.values("chunk_id"))
    return both.order_by("document_id", "index")


def estimate(datasource: Datasource, chunks: QuerySet[Chunk] | None = None) -> Estimate:
    """What it will cost to have these chunks read by the model, by default all that are not yet."""
    reader = reader_of(datasource)
    rows = unread(datasource) if chunks is None else chunks
    texts = list(rows.values_list("text", flat=True))
    known = cache.cached(texts, reader.prompt_hash, reader.model.name)
    missing = [text for text in dict.fromkeys(texts) if cache.content_hash(text) not in known]
    return estimate_texts(datasource, missing, chunks=len(texts), cached=len(known), overhead=reader.overhead)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How far the model is with a datasource; `errors` are the reasons of failures with their counts."""

    done: int
    waiting: int
    failed: int
    errors: tuple[tuple[str, int], ...]


def report(datasource: Datasource) -> Report:
    rows = ChunkExtraction.objects.filter(datasource=datasource)
    counts = dict(rows.values_list("state").annotate(count=Count("pk")))
    failed = rows.filter(state=ExtractionState.FAILED).values_list("error").annotate(count=Count("pk"))
    return Report(
        done=counts.get(ExtractionState.DONE, 0),
        waiting=counts.get(ExtractionState.WAITING, 0),
        failed=counts.get(ExtractionState.FAILED, 0),
        errors=tuple(failed.order_by("-count", "error")),
    )
