"""Every passage with the exact words of a query, all counted: nothing is ranked or left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from datasources.models import Datasource
from ingestion.models import Chunk
from reader.search.asked import Asked
from reader.search.finding import scope_of
from retrieval.legs.mentions import Mentions, mentions

PER_PAGE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One page of the passages, in the order of the documents.

    `counts`: passages by document, of the documents that were not chosen too.
    """

    mentions: Mentions
    chunks: Sequence[Chunk] = ()
    page: int = 1
    counts: Mapping[int, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return self.mentions.passages

    @property
    def documents(self) -> int:
        return len(self.mentions.documents)

    @property
    def pages(self) -> int:
        return max(1, -(-self.count // PER_PAGE))


def list_all(asked: Asked, datasources: Sequence[Datasource], person_id: int) -> Listed:
    """Raises TooSlow."""
    scopes = [scope_of(datasource, asked.without_documents, person_id) for datasource in datasources]
    anywhere = mentions(scopes, asked.text)
    chosen = anywhere.only(asked.documents) if asked.documents else anywhere
    page = min(asked.page, max(1, -(-chosen.passages // PER_PAGE)))
    return Listed(
        mentions=chosen,
        chunks=chosen.chunks((page - 1) * PER_PAGE, PER_PAGE),
        page=page,
        counts={each.document_id: each.passages for each in anywhere.documents},
    )
