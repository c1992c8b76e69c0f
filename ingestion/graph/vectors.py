"""Embeds the entities and relations whose text changed, each once however many mentions changed it."""

from collections.abc import Sequence

from django.db import transaction

from ingestion.embed import copy_into
from ingestion.graph import growth
from ingestion.graph.link import rows
from providers.base import Embedder

AT_ONCE = 256  # texts embedded and stored together
MAX_TEXT = 600  # characters of a text that are embedded
UNEMBEDDED = ["DATE", "AMOUNT", "CODE", "REFERENCE"]  # found by key; their meaning says nothing

_ENTITIES = """
SELECT id, name || ' - ' || description FROM ingestion_entity
WHERE datasource_id = %s AND vector_due AND NOT (types <@ %s::varchar[] AND types <> '{}')
"""
_RELATIONS = """
SELECT r.id, CASE WHEN r.quoted THEN r.description
  ELSE s.name || ' => ' || t.name || ' - ' || r.description END
FROM ingestion_relation r
JOIN ingestion_entity s ON s.id = r.source_id JOIN ingestion_entity t ON t.id = r.target_id
WHERE r.datasource_id = %s AND r.vector_due
"""


def embed_due(datasource_id: int, embedder: Embedder) -> int:
    """Embed one batch of what is due; returns how many texts that were, 0 when nothing is left.

    Relations of one sentence share its vector. Raises ProviderError.
    """
    entities = rows(_ENTITIES + "ORDER BY id LIMIT %s", datasource_id, UNEMBEDDED, AT_ONCE)
    if entities:
        return _embed("entity", datasource_id, entities, embedder)
    rows(
        "UPDATE ingestion_entity SET vector_due = false WHERE datasource_id = %s AND vector_due AND"
        " types <@ %s::varchar[]"
        " AND types <> '{}'",
        datasource_id, UNEMBEDDED,
    )  # fmt: skip
    relations = rows(_RELATIONS + "ORDER BY r.description, r.id LIMIT %s", datasource_id, AT_ONCE * 4)
    return _embed("relation", datasource_id, relations, embedder) if relations else 0


def _embed(kind: str, datasource_id: int, due: Sequence[tuple[int, str]], embedder: Embedder) -> int:
    texts = list(dict.fromkeys(text[:MAX_TEXT] for _, text in due))
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))
    with transaction.atomic():
        growth.lock(datasource_id)
        # A text that changed meanwhile stays due: its vector would be an old one's.
        ids = [pk for pk, _ in due]
        if kind == "entity":
            now = rows(_ENTITIES + "AND id = ANY(%s)", datasource_id, UNEMBEDDED, ids)
        else:
            now = rows(_RELATIONS + "AND r.id = ANY(%s)", datasource_id, ids)
        kept = [(pk, vectors[text[:MAX_TEXT]]) for pk, text in now if text[:MAX_TEXT] in vectors]
        done = [pk for pk, _ in kept]
        rows(f"DELETE FROM ingestion_{kind}embedding WHERE {kind}_id = ANY(%s)", done)
        copy_into(kind, datasource_id, kept)
        rows(f"UPDATE ingestion_{kind} SET vector_due = false WHERE id = ANY(%s)", done)
    return len(texts)
