"""The candidate passages of one question, and their scores by each leg."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingestion.models import VectorSpace
from retrieval.legs.question import MOST, Question
from retrieval.nearest import as_text, nearest_in
from retrieval.query import Scope
from retrieval.scope_size import passages_in
from retrieval.sql import query

DEPTH = 100  # passages that a leg gives at the least
DEPTH_OF_K = 4
SCANNED = 5000  # passages: so few are all compared, which is quicker than to look up which have the words,
LOOKED_UP = 0.2  # unless at most so small a share of them has any


@dataclass(slots=True)
class Candidate:
    """A passage; what a leg has not looked at is None. All from 0 to 1, but for a cosine below 0."""

    document_id: int
    cosine: float | None = None
    words: float | None = None


@dataclass(slots=True)
class Candidates:
    """By chunk; those of a leg are added once, in any order. `vector`: the question's, once it is known;
    `space`: those that it can be compared with.
    """

    scope: Scope
    question: Question
    limit: int
    vector: NDArray[np.float32] | None = None
    space: VectorSpace | None = None
    by_chunk: dict[int, Candidate] = field(default_factory=dict)

    @property
    def _compared_with(self) -> dict[str, Any]:
        vector = None if self.vector is None else as_text(self.vector)
        return {"vector": vector, "space": self.space and self.space.pk}

    @property
    def _ideal(self) -> float:
        return MOST * self.question.words.ideal or 1.0

    @property
    def cosines(self) -> dict[int, float]:
        return {pk: c.cosine for pk, c in self.by_chunk.items() if c.cosine is not None}

    @property
    def words(self) -> dict[int, float]:
        return {pk: c.words for pk, c in self.by_chunk.items() if c.words is not None}

    def _at(self, chunk: int, document: int) -> Candidate:
        candidate = self.by_chunk.get(chunk)
        if candidate is None:
            candidate = self.by_chunk[chunk] = Candidate(document)
        return candidate

    def add_nearest(self) -> None:
        """The nearest in meaning."""
        if self.space is None or self.vector is None:
            return
        for chunk, document, cosine in nearest_in(self.space, self.scope, self.vector, self.limit):
            self._at(chunk, document).cosine = cosine

    def add_best_by_words(self) -> None:
        """Those with the rarest words of the question; when they are too few, any with one of its words."""
        words = self.question.words
        if not words.rarity:
            return
        parameters = {**self.scope.parameters(), "vector": words.vector, "limit": self.limit}
        if self.question.passages <= SCANNED:
            few = self.scope.document_ids is None and words.held <= LOOKED_UP * self.question.passages
            statement = "best_by_words" if few else "best_by_words_of_all"
            rows = query(statement, **parameters, rarest=list(words.rarity))
        elif self._searches_few():
            rows = query("best_by_words_in_documents", **parameters)
        else:
            rows = query("best_by_words", **parameters, rarest=words.rarest)
            if len(rows) < self.limit and len(words.rarest) < len(words.rarity):
                rows = query("best_by_words", **parameters, rarest=list(words.rarity))
        for chunk, document, score in rows:
            self._at(chunk, document).words = score / self._ideal

    def _searches_few(self) -> bool:
        return self.scope.document_ids is not None and passages_in(self.scope) <= SCANNED

    def add_best_inside(self, documents: Sequence[int], alpha: float) -> None:
        """The best of a few documents, their words weighed among the passages there."""
        words = self.question.words_in(self.scope.only(frozenset(documents)))
        ideal = MOST * words.ideal or 1.0
        rows = query(
            "best_in_documents",
            inside=list(documents),
            **self._compared_with,
            words=words.vector,
            alpha=alpha,
            beta=(1 - alpha) / ideal,
            limit=self.limit,
        )
        for chunk, document, cosine, held in rows:
            candidate = self._at(chunk, document)
            candidate.cosine, candidate.words = cosine, held / ideal

    def compare_all(self, more: Iterable[int] = ()) -> None:
        """Let meaning and words say something of every candidate, whichever leg it came from."""
        if self.vector is None:
            return
        new = [pk for pk in more if pk not in self.by_chunk]
        without_words = [pk for pk, c in self.by_chunk.items() if c.words is None] + new
        without_cosine = [pk for pk, c in self.by_chunk.items() if c.cosine is None] + new
        if not without_words and not without_cosine:
            return
        rows = query(
            "compare_candidates",
            without_words=without_words,
            without_cosine=without_cosine,
            **self._compared_with,
            words=self.question.words.vector,
        )
        for chunk, document, words, cosine in rows:
            if document is not None:
                self._at(chunk, document).words = words / self._ideal
            elif chunk in self.by_chunk:
                self.by_chunk[chunk].cosine = cosine
