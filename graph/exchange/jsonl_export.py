"""The graph out as lines of JSON: mentions and decisions, not what is folded from them, so that it comes in
again unchanged. docs/reference/graph.md has the format.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from datasources.models import Datasource, Document
from graph.exchange.rows import translated_sense
from graph.extraction.llm.cache import content_hash
from graph.models import Decision, EntityMention, Mention, RelationMention


def export_rows(datasource: Datasource) -> Iterator[dict[str, Any]]:
    """Every ready document's mentions, a row per chunk and extractor, then people's decisions."""
    documents = list(datasource.documents.ready().order_by("sha256"))
    for document in documents:
        rows = list(_rows_of(document))
        yield from rows or [_row(document)]
    hashes = {str(document.pk): document.sha256 for document in documents}
    for decision in Decision.objects.filter(datasource=datasource).order_by("pk"):
        yield _decision_row(decision, hashes)


def _row(document: Document) -> dict[str, Any]:
    return {"document": document.title, "sha256": document.sha256, "entities": [], "relations": []}


def _rows_of(document: Document) -> Iterator[dict[str, Any]]:
    """The rows of one document; its chunks are read once."""
    chunks = {chunk.pk: chunk for chunk in document.chunks.order_by("index")}
    entities = _grouped(EntityMention.objects.filter(document=document, live=True).order_by("pk"))
    relations = _grouped(RelationMention.objects.filter(document=document, live=True).order_by("pk"))
    for chunk_id, extractor in sorted({*entities, *relations}, key=lambda k: (chunks[k[0]].index, k[1])):
        chunk = chunks[chunk_id]
        named = entities[chunk_id, extractor]
        names: dict[str, str] = {}
        for mention in named:
            names.setdefault(mention.key, mention.name)
        yield {
            **_row(document),
            "chunk": chunk.index,
            "chunk_sha256": content_hash(chunk.text),
            "extractor": extractor,
            "entities": [_entity(mention) for mention in named],
            "relations": [_relation(mention, names) for mention in relations[chunk_id, extractor]],
        }


def _grouped(mentions: Iterable[Any]) -> dict[tuple[int, str], list[Any]]:
    found: dict[tuple[int, str], list[Any]] = defaultdict(list)
    for mention in mentions:
        found[mention.chunk_id, mention.extractor].append(mention)
    return found


def _statement(mention: Mention) -> dict[str, Any]:
    return {"description": mention.description, "said": [mention.said_start, mention.said_end]}


def _entity(mention: EntityMention) -> dict[str, Any]:
    return {
        "name": mention.name,
        "types": mention.types,
        **_statement(mention),
        "at": [mention.start, mention.end],
        "defines": mention.defines,
    }


def _relation(mention: RelationMention, names: dict[str, str]) -> dict[str, Any]:
    return {
        "source": names.get(mention.source_key, mention.source_key),
        "target": names.get(mention.target_key, mention.target_key),
        "type": mention.keywords[0] if mention.keywords else "",
        **_statement(mention),
        "keywords": mention.keywords,
        "strength": mention.strength,
    }


def _decision_row(decision: Decision, hashes: dict[str, str]) -> dict[str, Any]:
    return {
        "decision": decision.kind,
        "key": decision.key,
        "sense": translated_sense(decision.sense, hashes),
        "other_key": decision.other_key,
        "other_sense": translated_sense(decision.other_sense, hashes),
        "sha256": hashes.get(str(decision.document_id), ""),
        "name": decision.name,
        "types": decision.types,
    }
