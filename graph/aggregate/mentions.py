"""Writing what extractors found as mentions, in bulk, and taking a document's mentions away."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.db import connection

from graph.models import EntityMention
from graph.resolution.context import traits
from graph.resolution.resolve import family
from graph.sql import query
from graph.values.extraction import VALUES, ExtractedEntity, Extraction
from graph.values.names import key
from ingestion.models import Chunk
from sql import rows

RECORD = 300  # characters after a heading that are all about it
ENTITY_COLUMNS = (
    ("datasource_id", "int8"),
    ("document_id", "int8"),
    ("chunk_id", "int8"),
    ("description", "text"),
    ("said_start", "int4"),
    ("said_end", "int4"),
    ("position", "int4"),
    ("extractor", "varchar"),
    ("live", "bool"),
    ("name", "varchar"),
    ("key", "varchar"),
    ("types", "varchar[]"),
    ("start", "int4"),
    ("end", "int4"),
    ("defines", "bool"),
    ("family", "varchar"),
    ("sense", "varchar"),
    ("traits", "varchar[]"),
)
RELATION_COLUMNS = (
    *ENTITY_COLUMNS[:9],
    ("source_key", "varchar"),
    ("target_key", "varchar"),
    ("keywords", "varchar[]"),
    ("strength", "float8"),
)


def store(chunks: Sequence[Chunk], extractions: Sequence[Extraction], extractor: str) -> None:
    """Insert the mentions of the chunks, not live yet: the graph counts them when their document is ready."""
    pairs = list(zip(chunks, extractions, strict=True))
    entities = (row for chunk, found in pairs for row in _entities(chunk, found, extractor))
    relations = (row for chunk, found in pairs for row in _relations(chunk, found, extractor))
    _copy("graph_entitymention", ENTITY_COLUMNS, entities)
    _copy("graph_relationmention", RELATION_COLUMNS, relations)


def stored(document_id: int) -> bool:
    """Whether the document's mentions are there; they are stored all at once."""
    return EntityMention.objects.filter(document_id=document_id).exists()


def _entities(chunk: Chunk, extraction: Extraction, extractor: str) -> Iterator[list[Any]]:
    for entity in extraction.entities[: settings.MAX_CHUNK_ENTITIES]:
        full = _full(entity)
        if not key(full):
            continue
        yield [
            *_statement(chunk, entity.description, *entity.said, entity.start, extractor),
            full[:300],
            key(full),
            list(entity.types),
            entity.start,
            entity.end,
            entity.defines,
            family(entity.types),
            "",
            list(_traits(chunk, entity)),
        ]


def _traits(chunk: Chunk, entity: ExtractedEntity) -> tuple[str, ...]:
    """What a model's description says the thing is; else what the sentence says."""
    if VALUES & set(entity.types):
        return ()
    start, end = entity.said
    if entity.defines and len(chunk.text) - end <= RECORD:
        end = len(chunk.text)
    text, first, last = chunk.text[start:end], entity.start - start, entity.end - start
    if own := entity.description.strip() if not _quoted(chunk, entity) else "":
        place = own.find(entity.name)
        text, first, last = (own, place, place + len(entity.name)) if place >= 0 else (own, 0, 0)
    elif not 0 <= first < last <= len(text):
        return ()
    return traits(
        entity.name, text[:first], text[last:], types=entity.types, title=bool(own) or entity.defines
    )


def _relations(chunk: Chunk, extraction: Extraction, extractor: str) -> Iterator[list[Any]]:
    known = {key(_full(entity)) for entity in extraction.entities[: settings.MAX_CHUNK_ENTITIES]}
    for relation in extraction.relations[: settings.MAX_CHUNK_RELATIONS]:
        source, target = key(relation.source), key(relation.target)
        if source == target or not {source, target} <= known:
            continue
        yield [
            *_statement(chunk, relation.description, relation.start, relation.end, relation.start, extractor),
            source,
            target,
            [word[:60] for word in relation.keywords],
            relation.strength,
        ]


def _full(entity: ExtractedEntity) -> str:
    return entity.stands_for or entity.name


def _quoted(chunk: Chunk, entity: ExtractedEntity) -> bool:
    """Whether the description is but the chunk's words."""
    return " ".join(chunk.text[slice(*entity.said)].split()) == entity.description


def _statement(
    chunk: Chunk, description: str, said_start: int, said_end: int, start: int, extractor: str
) -> list[Any]:
    quoted = " ".join(chunk.text[said_start:said_end].split()) == description
    return [
        chunk.datasource_id,
        chunk.document_id,
        chunk.pk,
        "" if quoted else description,
        said_start,
        said_end,
        chunk.start + start,
        extractor,
        False,
    ]


def _copy(table: str, columns: Sequence[tuple[str, str]], written: Iterator[list[Any]]) -> None:
    names = ", ".join(f'"{name}"' for name, _ in columns)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.set_types([kind for _, kind in columns])
        for row in written:
            copy.write_row(row)


def withdraw(document_ids: Sequence[int]) -> None:
    """Let the documents' mentions count no more; the folds over them are the caller's to update.

    Names that nothing else bears are about to go, so the mentions let go of them in the same write.
    """
    documents = list(document_ids)
    names = [name for (name,) in query("names_of_documents_alone", documents=documents)]
    query("withdraw_entity_mentions", names=names, documents=documents)
    query("withdraw_relation_mentions", names=names, documents=documents)


def remove(document_ids: Sequence[int]) -> None:
    """Delete the documents' mentions; the folds over them are the caller's to update."""
    for table in ("graph_relationmention", "graph_entitymention"):
        rows(f"DELETE FROM {table} WHERE document_id = ANY(%s)", list(document_ids))
