"""The vectors of chunks."""

from collections.abc import Sequence

import numpy as np

from ingestion.indexes import vectors_by_text
from ingestion.indexes.embedding import CHUNKS_AT_ONCE, copy_vectors
from ingestion.indexes.vector_tables import VectorTable, Writing
from ingestion.models import Chunk, VectorSpace
from providers.protocols import Embedder


class ChunkVectors(VectorTable):
    table = "ingestion_chunkembedding"
    column = "chunk_id"
    at_once = CHUNKS_AT_ONCE

    def fill(self, space: VectorSpace, embedder: Embedder, ids: Sequence[int], writing: Writing) -> None:
        texts = dict(Chunk.objects.filter(pk__in=ids).values_list("pk", "text"))
        vectors = dict(zip(texts, vectors_by_text.embed(space, list(texts.values()), embedder), strict=True))
        with writing():
            # A chunk that was deleted meanwhile is left out.
            chunks = Chunk.objects.filter(pk__in=texts).without_vector(space).select_for_update(no_key=True)
            alive = list(chunks.order_by("pk").values_list("pk", flat=True))
            if alive:
                copy_vectors(space, alive, np.stack([vectors[pk] for pk in alive]))
