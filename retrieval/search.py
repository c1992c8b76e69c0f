"""Finding chunks: by meaning (vectors) and by words (typo-tolerant). Every search takes a Scope first."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from django.db.models import Count, Sum
from numpy.typing import NDArray
from pgvector import HalfVector
from pgvector.django import CosineDistance

from ingestion.models import Chunk, ChunkQuerySet
from retrieval.evidence import Evidence, Scope
from text import fuzzy_match
from text.normal_form import lower_in_place

LIMIT = 8  # passages a search gives unless told
MAX_LIMIT = 25
TEXTS_KEPT = 20  # scopes whose lower-cased texts stay in memory


def in_scope(scope: Scope) -> ChunkQuerySet:
    """The chunks that a search may give."""
    chunks = Chunk.objects.filter(datasource_id=scope.datasource_id).searchable()
    return chunks if scope.document_ids is None else chunks.filter(document_id__in=scope.document_ids)


def by_meaning(scope: Scope, vector: NDArray[np.float32], limit: int = LIMIT) -> list[Evidence]:
    """The chunks nearest to a unit vector, exactly; score is the cosine similarity."""
    chunks = (
        in_scope(scope)
        .filter(embedding__datasource_id=scope.datasource_id)
        .annotate(distance=CosineDistance("embedding__vector", HalfVector(vector)))
        .select_related("document")
        .order_by("distance")[: min(limit, MAX_LIMIT)]
    )
    return [evidence(chunk, 1.0 - chunk.distance) for chunk in chunks]


def by_words(scope: Scope, words: str, limit: int = LIMIT) -> list[Evidence]:
    """The chunks that hold the words, small misspellings allowed; score is the likeness of the best match."""
    ids, texts, folded = _texts.of(scope)
    matches = fuzzy_match.search(words, texts, limit=min(limit, MAX_LIMIT), folded=folded)
    chunks = in_scope(scope).select_related("document").in_bulk([ids[match.index] for match in matches])
    return [
        evidence(chunks[ids[m.index]], m.score / 100, (m.start, m.end))
        for m in matches
        if ids[m.index] in chunks
    ]


def evidence(chunk: Chunk, score: float, matched: tuple[int, int] | None = None) -> Evidence:
    """The chunk as a search result; its document must be loaded."""
    return Evidence(
        chunk_id=chunk.pk,
        document_id=chunk.document_id,
        document_title=chunk.document.title,
        first_page=chunk.first_page,
        last_page=chunk.last_page,
        start=chunk.start,
        end=chunk.end,
        text=chunk.text,
        score=round(float(score), 4),
        matched=matched,
    )


@dataclass(frozen=True, slots=True)
class _Stamp:
    """Changes whenever a chunk comes, goes, or is left out."""

    count: int
    ids: int | None


_Kept = tuple[list[int], list[str], list[str]]


class _Texts:
    """The texts of recently searched scopes: reading them takes longer than searching them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Scope, tuple[_Stamp, _Kept]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, scope: Scope) -> _Kept:
        """Chunk ids, their texts, and the texts folded for searching; fresh."""
        stamp = _Stamp(**in_scope(scope).aggregate(count=Count("pk"), ids=Sum("pk")))
        with self._lock:
            kept = self._kept.get(scope)
            if kept and kept[0] == stamp:
                self._kept.move_to_end(scope)
                return kept[1]
        rows = list(in_scope(scope).order_by("pk").values_list("pk", "text"))
        texts = [text for _, text in rows]
        fresh = [pk for pk, _ in rows], texts, [lower_in_place(text) for text in texts]
        with self._lock:
            self._kept[scope] = (stamp, fresh)
            while len(self._kept) > TEXTS_KEPT:
                self._kept.popitem(last=False)
        return fresh


_texts = _Texts()
