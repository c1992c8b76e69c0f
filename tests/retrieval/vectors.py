"""Documents of many small chunks with made vectors, for the tests of how vectors are searched."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from datasources.models import Datasource, Document, DocumentStatus
from ingestion.indexes.embedding import copy_chunks, copy_vectors
from ingestion.models import Chunk, SpaceStatus, VectorSpace


def space_of(datasource: Datasource, dimensions: int, model: str = "made") -> VectorSpace:
    """The current space, made if need be."""
    row = Datasource.objects.filter(pk=datasource.pk)
    row.update(embedding_model=model, embedding_dimensions=dimensions)
    defaults = {"status": SpaceStatus.CURRENT}
    return VectorSpace.objects.get_or_create(
        datasource=datasource, model=model, dimensions=dimensions, defaults=defaults
    )[0]


def fill(
    datasource: Datasource, vectors: NDArray[np.float32], documents: int = 1, space: VectorSpace | None = None
) -> Sequence[Document]:
    """A chunk a vector, in ready documents of the same size."""
    space = space or space_of(datasource, vectors.shape[1])
    each, first = len(vectors) // documents, datasource.documents.count()
    shelf = Document.objects.bulk_create(
        Document(
            datasource=datasource,
            title=f"Made {number}",
            filename=f"{number}.txt",
            mime="text/plain",
            size=1,
            sha256=f"{datasource.pk:032x}{number:032x}",
            status=DocumentStatus.READY,
            chunk_count=each,
        )
        for number in range(first, first + documents)
    )
    copy_chunks(
        Chunk(
            datasource_id=datasource.pk,
            document=document,
            index=index,
            text=f"chunk {index}",
            start=0,
            end=7,
            first_page=1,
            last_page=1,
        )
        for document in shelf
        for index in range(each)
    )
    chunks = Chunk.objects.filter(document__in=shelf).order_by("pk")
    copy_vectors(space, list(chunks.values_list("pk", flat=True)), vectors)
    return shelf


def made(count: int, dimensions: int, seed: int = 1) -> NDArray[np.float32]:
    """Unit vectors in clusters, as texts of some topics have."""
    chance = np.random.default_rng(seed)
    topics = chance.normal(size=(max(2, count // 50), dimensions))
    vectors = topics[chance.integers(len(topics), size=count)] + 0.8 * chance.normal(size=(count, dimensions))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)
