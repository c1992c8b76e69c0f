"""What we derived from documents: pages, chunks and their vectors. All of it can be dropped and rebuilt."""

from ingestion.models.attachments import Attachment
from ingestion.models.chunks import Chunk, ChunkEmbedding, ChunkKind, ChunkQuerySet
from ingestion.models.pages import (
    Annotation,
    AnnotationQuerySet,
    Doubt,
    DoubtQuerySet,
    OcrOutcome,
    Page,
    PageQuerySet,
    PageSource,
)
from ingestion.models.structure import Section, Table, TableRow
from ingestion.models.vectors import SpaceStatus, VectorSpace
from ingestion.models.words import ChunkTerms, DocumentTerms, SearchTerms, TermCount, Word

__all__ = [
    "Annotation",
    "AnnotationQuerySet",
    "Attachment",
    "Chunk",
    "ChunkEmbedding",
    "ChunkKind",
    "ChunkQuerySet",
    "ChunkTerms",
    "DocumentTerms",
    "Doubt",
    "DoubtQuerySet",
    "OcrOutcome",
    "Page",
    "PageQuerySet",
    "PageSource",
    "SearchTerms",
    "Section",
    "SpaceStatus",
    "Table",
    "TableRow",
    "TermCount",
    "VectorSpace",
    "Word",
]
