"""What a search is asked: where it may look, and for how much."""

from dataclasses import dataclass
from typing import Any

from ingestion.models import Chunk, ChunkQuerySet

LIMIT = 8  # passages a search gives unless told
MAX_LIMIT = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where a search may look. Made from checked permissions; every search takes one."""

    user_id: int
    datasource_id: int
    document_ids: frozenset[int] | None = None  # None means all documents of the datasource

    def chunks(self) -> ChunkQuerySet:
        """The chunks that a search may give."""
        chunks = Chunk.objects.filter(datasource_id=self.datasource_id).searchable()
        return chunks if self.document_ids is None else chunks.filter(document_id__in=self.document_ids)

    def parameters(self) -> dict[str, Any]:
        """The same for SQL: %(datasource)s, and %(documents)s that is null for all."""
        documents = None if self.document_ids is None else sorted(self.document_ids)
        return {"datasource": self.datasource_id, "documents": documents}
