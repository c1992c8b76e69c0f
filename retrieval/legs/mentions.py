"""Every passage with the very words, counted to the last one: nothing ranked or left out."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.models import Chunk
from retrieval.evidence import Evidence, evidence_of
from retrieval.query import Scope
from retrieval.sql import query
from text.very_words import pattern_for_postgres

PER_PAGE = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """`chunks` by number, in the order of the documents' titles and of reading; `documents`: the title of
    each with its number of passages.
    """

    chunks: Sequence[int]
    documents: Sequence[tuple[str, int]]

    @property
    def count(self) -> int:
        return len(self.chunks)

    @property
    def pages(self) -> int:
        return max(1, -(-self.count // PER_PAGE))

    def page(self, number: int) -> list[Evidence]:
        """The passages of a page, from 1; none behind the last."""
        ids = self.chunks[(number - 1) * PER_PAGE : number * PER_PAGE]
        chunks = Chunk.objects.searchable().select_related("document").in_bulk(list(ids))
        return [evidence_of(chunks[pk], 1.0) for pk in ids if pk in chunks]


def mentions(scope: Scope, words: str) -> Mentions:
    """All passages of the scope that have the words, whatever their case and white space."""
    if not words.split():
        return Mentions(chunks=(), documents=())
    rows = query(
        "chunks_with_words", **scope.parameters(), pattern=pattern_for_postgres(" ".join(words.split()))
    )
    documents: dict[int, tuple[str, int]] = {}
    for _, document, title in rows:
        documents[document] = title, documents.get(document, (title, 0))[1] + 1
    return Mentions(chunks=tuple(chunk for chunk, *_ in rows), documents=tuple(documents.values()))
