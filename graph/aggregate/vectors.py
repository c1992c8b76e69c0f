"""Gives entities and relations whose name or passages changed new vectors; only names are embedded for it.

A thing's vector is that of its name and those of the passages that say most about it, which are there
already. Measured on multi-hop questions, such vectors find the right passages more often than vectors of the
descriptions, which cost as much as embedding every document a second time.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from graph.aggregate import update
from graph.sql import query
from graph.values.extraction import VALUES
from ingestion.indexes import vector_spaces
from ingestion.indexes.embedding import copy_into
from ingestion.models import VectorSpace
from providers.protocols import Embedder
from sql import rows

NAMES_AT_ONCE = 256  # embedded and stored together
VECTORS_AT_ONCE = 2000  # put together while the graph's lock is held: about 0.1 s
NAME = 0.5  # length of a name's vector; that of the passages together has length 1
UNEMBEDDED = sorted(VALUES)  # found by key; their meaning says nothing


def embed_due(space: VectorSpace, embedder: Embedder) -> int:
    """Do one batch of what is due; returns its size, 0 when nothing is left. Raises ProviderError."""
    return (
        _embed_names(space, embedder)
        or _put_together("entity", "embed_entities", space)
        or _put_together("relation", "embed_relations", space)
    )


def _embed_names(space: VectorSpace, embedder: Embedder) -> int:
    where = {"datasource": space.datasource_id, "space": space.pk, "values": UNEMBEDDED}
    due = query("first_names_due", **where, limit=NAMES_AT_ONCE)
    if not due:
        return 0
    names = list(dict.fromkeys(name for _, name in due))
    vectors = dict(zip(names, embedder.embed(names), strict=True))
    with _changing(space):
        # An entity that was renamed since stays due, one that is gone need not be.
        now = query("names_still_due", **where, entities=[pk for pk, _ in due])
        kept = [(pk, NAME * vectors[name]) for pk, name in now if name in vectors]
        copy_into("graph_nameembedding", "entity_id", space, kept)
    return len(due)


def _put_together(kind: str, statement: str, space: VectorSpace) -> int:
    with _changing(space):
        due = rows(
            f"SELECT id FROM graph_{kind} WHERE datasource_id = %s AND vector_due ORDER BY id LIMIT %s",
            space.datasource_id,
            VECTORS_AT_ONCE,
        )
        ids = [pk for (pk,) in due]
        if ids:
            query(statement, ids=ids, space=space.pk)
            # Those of other models are made again when a change of the model comes to them.
            rows(
                f"DELETE FROM graph_{kind}embedding WHERE {kind}_id = ANY(%s) AND space_id <> %s",
                ids,
                space.pk,
            )
            rows(f"UPDATE graph_{kind} SET vector_due = false WHERE id = ANY(%s)", ids)
    return len(ids)


@contextmanager
def _changing(space: VectorSpace) -> Iterator[None]:
    with transaction.atomic():
        vector_spaces.hold(space)
        update.lock(space.datasource_id)
        yield
