"""Every passage with the exact words, all counted: nothing is ranked or left out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Self

from ingestion.models import Chunk
from retrieval.query import Scope
from retrieval.sql import query
from sql.time_limit import time_limit
from text.search.very_words import pattern_for_postgres

SECONDS = 10  # for reading all texts of the scopes


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentioned:
    """A document with the words: how many of its passages have them, at how many places, the first of these
    passages, and the page on which that begins.
    """

    document_id: int
    title: str
    passages: int
    places: int
    chunk_id: int
    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """The documents in the order of their datasources' names and their titles."""

    words: str
    documents: Sequence[Mentioned] = ()

    @property
    def passages(self) -> int:
        return sum(document.passages for document in self.documents)

    @property
    def places(self) -> int:
        return sum(document.places for document in self.documents)

    def only(self, document_ids: Collection[int]) -> Self:
        """Those in some of the documents."""
        return replace(self, documents=[each for each in self.documents if each.document_id in document_ids])

    def chunks(self, first: int, limit: int, seconds: float = SECONDS) -> list[Chunk]:
        """So many of the passages with their documents, from the given one on (0 is the first), in order.

        Raises TooSlow.
        """
        documents: list[int] = []
        skipped, wanted = first, limit
        for document in self.documents:
            if not documents and document.passages <= skipped:
                skipped -= document.passages
            elif wanted > 0:
                documents.append(document.document_id)
                wanted -= document.passages - (skipped if len(documents) == 1 else 0)
        if not documents:
            return []
        pattern = pattern_for_postgres(self.words)
        with time_limit(seconds):
            ids = query(
                "chunks_with_words", documents=documents, pattern=pattern, limit=limit, offset=skipped
            )
        chunks = Chunk.objects.select_related("document").in_bulk([pk for (pk,) in ids])
        return [chunks[pk] for (pk,) in ids if pk in chunks]


def mentions(scopes: Sequence[Scope], words: str) -> Mentions:
    """All passages of the scopes that have the words, whatever their case and white space. Raises TooSlow."""
    words = " ".join(words.split())
    if not words or not scopes:
        return Mentions(words=words)
    with time_limit(SECONDS):
        rows = query(
            "mentions_by_document",
            datasources=[scope.datasource_id for scope in scopes],
            whole=[scope.datasource_id for scope in scopes if scope.document_ids is None],
            documents=[pk for scope in scopes for pk in sorted(scope.document_ids or ())],
            pattern=pattern_for_postgres(words),
        )
    return Mentions(
        words=words,
        documents=[
            Mentioned(
                document_id=pk, title=title, passages=passages, places=int(places), chunk_id=chunk, page=page
            )
            for pk, title, passages, places, (_, chunk, page) in rows
        ],
    )
