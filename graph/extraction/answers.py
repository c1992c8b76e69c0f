"""A model's answers about chunks: stored with what they cost, and read back as what the chunks say."""

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from datasources.models import Datasource, Document
from graph.extraction.grounding import NamedRelation, NamedThing, Text, ground
from graph.extraction.llm import cache
from graph.extraction.llm.budget import record
from graph.extraction.llm.extractor import ModelReader, Outcome
from graph.extraction.llm.schema import STRENGTHS, ModelAnswer
from graph.models import CachedExtraction, ChunkExtraction, ExtractionState
from graph.values.extraction import ExtractedChunks, Extraction
from ingestion.models import Chunk

KEYWORD_LENGTH = 60
OVER_BUDGET = "The budget of this datasource is used up. Raise it, and reading goes on here."


# --- storing ---------------------------------------------------------------------------------------------
def tie_cached(datasource: Datasource, reader: ModelReader, by_text: Mapping[str, Sequence[Chunk]]) -> int:
    """Tie answers that are there already to their chunks; gives the number of chunks."""
    with transaction.atomic():
        alive = _alive(chunk for group in by_text.values() for chunk in group)
        cache.lock()
        known = cache.cached(by_text, reader.prompt_hash, reader.model.name)
        done = ChunkExtraction.objects.filter(
            chunk__in=alive, state=ExtractionState.DONE, cached__in=list(known.values())
        )
        tied = set(done.values_list("chunk_id", flat=True))
        answered = {text: known[h] for text in by_text if (h := cache.content_hash(text)) in known}
        new = [
            _row(chunk, answer=answer)
            for text, answer in answered.items()
            for chunk in by_text[text]
            if chunk.pk in alive and chunk.pk not in tied
        ]
        if new:
            _tie(new)
            record(datasource.pk, reader.model.name, cached=len(new))
    return sum(len(by_text[text]) for text in answered)


def keep(
    datasource: Datasource,
    reader: ModelReader,
    outcomes: Sequence[Outcome[ModelAnswer]],
    by_text: Mapping[str, Sequence[Chunk]],
) -> None:
    """Store answers. Chunks that are gone by now get none."""
    with transaction.atomic():
        alive = _alive(chunk for group in by_text.values() for chunk in group)
        cache.lock()
        stored = cache.keep(
            [
                CachedExtraction(
                    content=cache.content_hash(outcome.text),
                    prompt=reader.prompt_hash,
                    model=reader.model.name,
                    answer=outcome.reading.model_dump(),
                    prompt_tokens=outcome.usage.prompt_tokens,
                    completion_tokens=outcome.usage.completion_tokens,
                )
                for outcome in outcomes
                if outcome.reading and any(chunk.pk in alive for chunk in by_text[outcome.text])
            ]
        )
        _tie(
            [
                _row(chunk, answer=stored[cache.content_hash(outcome.text)])
                if outcome.reading
                else _row(chunk, ExtractionState.FAILED, outcome.error)
                for outcome in outcomes
                for chunk in by_text[outcome.text]
                if chunk.pk in alive
            ]
        )


def keep_unread(chunks: Sequence[Chunk], gave_up: str) -> None:
    """Say of the chunks that were not reached why."""
    state = ExtractionState.FAILED if gave_up else ExtractionState.WAITING
    with transaction.atomic():
        alive = _alive(chunks)
        _tie([_row(chunk, state, gave_up or OVER_BUDGET) for chunk in chunks if chunk.pk in alive])


def _alive(chunks: Iterable[Chunk]) -> set[int]:
    """The chunks that still exist; their documents can't be deleted before the transaction ends."""
    documents = {chunk.pk: chunk.document_id for chunk in chunks}
    rows = Document.objects.filter(pk__in=set(documents.values())).order_by("pk")
    locked = list(rows.select_for_update(no_key=True).values_list("pk", flat=True))
    alive = Chunk.objects.filter(pk__in=list(documents), document__in=locked)
    return set(alive.values_list("pk", flat=True))


def _row(
    chunk: Chunk,
    state: ExtractionState = ExtractionState.DONE,
    error: str = "",
    answer: CachedExtraction | None = None,
) -> ChunkExtraction:
    return ChunkExtraction(
        chunk=chunk,
        datasource_id=chunk.datasource_id,
        document_id=chunk.document_id,
        state=state,
        error=error,
        cached=answer,
        keywords=[word[:KEYWORD_LENGTH] for word in answer.answer["keywords"]] if answer else [],
    )


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


# --- reading back ----------------------------------------------------------------------------------------
def extracted_by(reader: ModelReader, chunks: Sequence[Chunk]) -> list[ExtractedChunks]:
    """What the reader's model found in those chunks that it has read as it would now; empty for none."""
    done = ChunkExtraction.objects.filter(
        chunk__in=[chunk.pk for chunk in chunks],
        state=ExtractionState.DONE,
        cached__prompt=reader.prompt_hash,
        cached__model=reader.model.name,
    ).select_related("cached")
    answers = {row.chunk_id: ModelAnswer.model_validate(row.cached.answer) for row in done if row.cached}
    titles = dict(Document.objects.filter(pk__in={c.document_id for c in chunks}).values_list("pk", "title"))
    read = [chunk for chunk in chunks if chunk.pk in answers]
    extractions = [extraction(c.text, answers[c.pk], titles[c.document_id]) for c in read]
    return [ExtractedChunks(f"model {reader.model.name}"[:80], read, extractions)] if read else []


def extraction(text: str, answer: ModelAnswer, title: str = "") -> Extraction:
    """A model's answer at the words of the text it is about. Strengths become 0.1 to 1."""
    things = [
        NamedThing(name=e.name, types=tuple(e.types), description=e.description) for e in answer.entities
    ]
    relations = [
        NamedRelation(
            source=r.source,
            target=r.target,
            description=r.description or f"{r.source} {r.type} {r.target}",
            keywords=tuple(dict.fromkeys([*([r.type] if r.type else []), *r.keywords])),
            strength=round(r.strength / STRENGTHS[1], 3),
        )
        for r in answer.relations
    ]
    return ground(Text(text), things, relations, title)
