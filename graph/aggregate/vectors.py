"""Gives entities and relations whose name or passages changed new vectors; only names are embedded for it.

A thing's vector is that of its name and those of the passages that say most about it, which are there
already. Measured on multi-hop questions, such vectors find the right passages more often than vectors of the
descriptions, which cost as much as embedding every document a second time.
"""

from django.db import transaction

from graph.aggregate import update
from graph.sql import query
from graph.values.extraction import VALUES
from ingestion.embedding import copy_into
from providers.protocols import Embedder
from sql import rows

NAMES_AT_ONCE = 256  # embedded and stored together
VECTORS_AT_ONCE = 2000  # put together while the graph's lock is held: about 0.1 s
NAME = 0.5  # length of a name's vector; that of the passages together has length 1
UNEMBEDDED = sorted(VALUES)  # found by key; their meaning says nothing


def embed_due(datasource_id: int, embedder: Embedder) -> int:
    """Do one batch of what is due; returns its size, 0 when nothing is left. Raises ProviderError."""
    return (
        _embed_names(datasource_id, embedder)
        or _put_together("entity", "embed_entities", datasource_id)
        or _put_together("relation", "embed_relations", datasource_id)
    )


def _embed_names(datasource_id: int, embedder: Embedder) -> int:
    due = query("first_names_due", datasource=datasource_id, values=UNEMBEDDED, limit=NAMES_AT_ONCE)
    if not due:
        return 0
    names = list(dict.fromkeys(name for _, name in due))
    vectors = dict(zip(names, embedder.embed(names), strict=True))
    with transaction.atomic():
        update.lock(datasource_id)
        # An entity that was renamed since stays due, one that is gone need not be.
        ids = [pk for pk, _ in due]
        now = query("names_still_due", datasource=datasource_id, values=UNEMBEDDED, entities=ids)
        kept = [(pk, NAME * vectors[name]) for pk, name in now if name in vectors]
        copy_into("graph_nameembedding", "entity_id", datasource_id, kept)
    return len(due)


def _put_together(kind: str, statement: str, datasource_id: int) -> int:
    with transaction.atomic():
        update.lock(datasource_id)
        due = rows(
            f"SELECT id FROM graph_{kind} WHERE datasource_id = %s AND vector_due ORDER BY id LIMIT %s",
            datasource_id, VECTORS_AT_ONCE,
        )  # fmt: skip
        ids = [pk for (pk,) in due]
        if ids:
            query(statement, ids=ids, datasource=datasource_id)
            rows(f"UPDATE graph_{kind} SET vector_due = false WHERE id = ANY(%s)", ids)
    return len(ids)
