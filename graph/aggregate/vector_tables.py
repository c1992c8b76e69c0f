"""The graph's tables of vectors, as the registry of such tables needs them."""

from collections.abc import Sequence
from typing import ClassVar

from graph.aggregate import update
from graph.aggregate.queue import defer_embed_graph
from graph.aggregate.vectors import NAME, NAMES_AT_ONCE, VECTORS_AT_ONCE
from graph.sql import query
from ingestion.indexes.embedding import copy_into
from ingestion.indexes.vector_tables import VectorTable, Writing
from ingestion.models import VectorSpace
from providers.protocols import Embedder
from sql import rows


class NameVectors(VectorTable):
    table = "graph_nameembedding"
    column = "entity_id"
    at_once = NAMES_AT_ONCE

    def fill(self, space: VectorSpace, embedder: Embedder, ids: Sequence[int], writing: Writing) -> None:
        names = list(dict.fromkeys(name for _, name in _names(ids)))
        vectors = dict(zip(names, embedder.embed(names), strict=True))
        with writing():
            update.lock(space.datasource_id)
            # What was renamed meanwhile is made after the change, as after any renaming.
            kept = [(pk, NAME * vectors[name]) for pk, name in _names(ids) if name in vectors]
            copy_into(self.table, self.column, space, kept)


def _names(ids: Sequence[int]) -> list[tuple[int, str]]:
    return [
        (pk, name) for pk, name in rows("SELECT id, name FROM graph_entity WHERE id = ANY(%s)", list(ids))
    ]


class _PutTogether(VectorTable):
    """Vectors that are made from those of names and passages."""

    at_once = VECTORS_AT_ONCE
    subject: ClassVar[str]
    statement: ClassVar[str]

    def fill(self, space: VectorSpace, embedder: Embedder, ids: Sequence[int], writing: Writing) -> None:
        with writing():
            update.lock(space.datasource_id)
            query(self.statement, ids=list(ids), space=space.pk)

    def switch(self, old: VectorSpace, new: VectorSpace) -> None:
        """What has changed since it was filled is made as after any change."""
        rows(
            f"UPDATE graph_{self.subject} SET vector_due = true FROM {self.table} o "
            f"WHERE o.{self.column} = graph_{self.subject}.id AND o.space_id = %s AND NOT EXISTS ("
            f"SELECT FROM {self.table} n WHERE n.{self.column} = o.{self.column} AND n.space_id = %s)",
            old.pk,
            new.pk,
        )


class EntityVectors(_PutTogether):
    table = "graph_entityembedding"
    column = "entity_id"
    subject = "entity"
    statement = "embed_entities"


class RelationVectors(_PutTogether):
    table = "graph_relationembedding"
    column = "relation_id"
    subject = "relation"
    statement = "embed_relations"

    def switch(self, old: VectorSpace, new: VectorSpace) -> None:
        super().switch(old, new)
        query("average_chunk_vectors_again", datasource=new.datasource_id, space=new.pk)
        defer_embed_graph(new.datasource_id)
