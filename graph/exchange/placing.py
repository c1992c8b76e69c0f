"""Tying what imported rows say to the chunks of the documents that they are about."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from graph.exchange.rows import GivenEntity, GivenRelation, GraphRow, Imported
from graph.extraction.grounding import NamedRelation, NamedThing, Text, ground
from graph.extraction.llm.cache import content_hash
from graph.values.extraction import ExtractedChunks, ExtractedEntity, ExtractedRelation, Extraction
from graph.values.ontology import type_name
from ingestion.models import Chunk

ELSEWHERE = "import"  # the extractor's name where a row gives none


def place(by_document: Mapping[int, Sequence[GraphRow]], done: Imported) -> list[ExtractedChunks]:
    """What the rows say, for every chunk of the documents, by extractor; one without rows gets nothing."""
    placed: dict[str, list[tuple[Chunk, Extraction]]] = defaultdict(list)
    ordered = Chunk.objects.filter(document__in=by_document).order_by("document_id", "index")
    for document_id, group in groupby(ordered.select_related("document"), lambda c: c.document_id):
        chunks = list(group)
        placed[ELSEWHERE] += [(chunk, Extraction()) for chunk in chunks]
        for extractor, chunk, extraction in _placed(chunks, by_document[document_id], done):
            placed[extractor].append((chunk, extraction))
            done.entities += len(extraction.entities)
            done.relations += len(extraction.relations)
    return [
        ExtractedChunks(name, [c for c, _ in pairs], [e for _, e in pairs]) for name, pairs in placed.items()
    ]


def _placed(
    chunks: Sequence[Chunk], rows: Sequence[GraphRow], done: Imported
) -> Iterator[tuple[str, Chunk, Extraction]]:
    """Rows of a chunk that is the same here keep their places; for all others the words are searched."""
    by_index: dict[int | None, Chunk] = {chunk.index: chunk for chunk in chunks}
    loose: dict[str, list[GraphRow]] = defaultdict(list)
    for row in rows:
        extractor = row.extractor or ELSEWHERE
        chunk = by_index.get(row.chunk)
        if chunk and row.chunk_sha256 == content_hash(chunk.text) and row.fits(len(chunk.text)):
            yield extractor, chunk, _exact(row)
        else:
            loose[extractor].append(row)
    for extractor, group in loose.items():
        for chunk, extraction in _searched(chunks, by_index, group, done):
            yield extractor, chunk, extraction


def _exact(row: GraphRow) -> Extraction:
    return Extraction(
        entities=tuple(
            ExtractedEntity(
                name=e.name,
                types=tuple(e.types),
                description=e.description,
                start=e.at[0],
                end=e.at[1],
                said=e.said,
                defines=e.defines,
            )
            for e in row.entities
            if e.at and e.said  # as row.fits has seen
        ),
        relations=tuple(
            ExtractedRelation(
                source=r.source,
                target=r.target,
                description=r.description,
                keywords=tuple(r.keywords),
                strength=r.strength,
                start=r.said[0],
                end=r.said[1],
            )
            for r in row.relations
            if r.said
        ),
    )


def _searched(
    chunks: Sequence[Chunk], by_index: Mapping[int | None, Chunk], rows: Sequence[GraphRow], done: Imported
) -> Iterator[tuple[Chunk, Extraction]]:
    """Tie each thing to every chunk that names it, each relation to every chunk that names both its ends."""
    texts = {chunk.pk: Text(chunk.text) for chunk in chunks}
    things: dict[int, list[NamedThing]] = defaultdict(list)
    relations: dict[int, list[NamedRelation]] = defaultdict(list)
    for row in rows:
        within = [by_index[row.chunk]] if row.chunk in by_index else chunks
        for thing in map(_named_thing, row.entities):
            named = _chunks_with([thing.name], within, texts)
            done.unplaced += not named
            for chunk in named:
                things[chunk.pk].append(thing)
        for relation in map(_named_relation, row.relations):
            named = _chunks_with([relation.source, relation.target], within, texts)
            done.unplaced += not named
            for chunk in named:
                relations[chunk.pk].append(relation)
    for chunk in chunks:
        if things[chunk.pk] or relations[chunk.pk]:
            yield chunk, ground(texts[chunk.pk], things[chunk.pk], relations[chunk.pk], chunk.document.title)


def _named_thing(entity: GivenEntity) -> NamedThing:
    return NamedThing(
        name=entity.name.strip(),
        types=tuple(filter(None, map(type_name, entity.types))),
        description=entity.description.strip(),
    )


def _named_relation(relation: GivenRelation) -> NamedRelation:
    words = tuple(dict.fromkeys(filter(None, map(str.strip, [relation.type, *relation.keywords]))))
    return NamedRelation(
        source=relation.source.strip(),
        target=relation.target.strip(),
        description=relation.description.strip() or " ".join([relation.source, *words[:1], relation.target]),
        keywords=words,
        strength=relation.strength,
    )


def _chunks_with(names: Sequence[str], chunks: Sequence[Chunk], texts: dict[int, Text]) -> list[Chunk]:
    """The chunks with all these names as written, else the one with most of their words; none with none."""
    if len(chunks) == 1:
        return list(chunks)
    named = [chunk for chunk in chunks if all(texts[chunk.pk].find(name) for name in names)]
    if named:
        return named
    shared = {chunk.pk: texts[chunk.pk].nearest(" ".join(names))[0] for chunk in chunks}
    best = max(chunks, key=lambda chunk: shared[chunk.pk])
    return [best] if shared[best.pk] else []
