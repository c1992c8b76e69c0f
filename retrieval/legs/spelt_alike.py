"""Words of a datasource whose spelling is close to a question's words."""

from collections.abc import Iterable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ingestion.indexes.search_index import SHORTEST_WORD
from retrieval.sql import batches
from text.normal_forms.normal_form import fold
from text.search.fuzzy_match import SHORTEST_PIECE, slips_forgiven

READ_AT_ONCE = 5000  # words: a large datasource has hundreds of thousands


def misspelt(datasource_id: int, words: Iterable[str]) -> set[int]:
    """The terms of words that these may be slips of; none for short words and those with figures."""
    sought = [word for word in map(fold, words) if slips_forgiven(word)]
    return {term for some in alike(datasource_id, sought) for term in some}


def alike(datasource_id: int, words: Sequence[str], *, begun: str = "", ended: str = "") -> list[set[int]]:
    """For each folded word the terms of those spelt like it, slips forgiven.

    begun, ended: of them, one that may lack its end, and one that may lack its beginning.
    """
    lengths = [len(word) for word in words if slips_forgiven(word)]
    begun, ended = (piece if len(piece) >= SHORTEST_PIECE else "" for piece in (begun, ended))
    if not lengths and not begun and not ended:
        return [set() for _ in words]
    found: list[set[int]] = [set() for _ in words]
    for listed in batches(
        "words_like",
        READ_AT_ONCE,
        datasource=datasource_id,
        begun=begun,
        ended=ended,
        shortest=max(SHORTEST_WORD, min(lengths, default=0) - 2),
        longest=max(lengths, default=0) + 2,
    ):
        for terms, word in zip(found, words, strict=True):
            terms |= _alike_among(listed, word, begun, ended)
    return found


def _alike_among(listed: Sequence[tuple[str, int]], word: str, begun: str, ended: str) -> set[int]:
    terms: set[int] = set()
    if allowed := slips_forgiven(word):
        there = [other for other, _ in listed]
        near = process.extract(
            word, there, scorer=OSA.distance, processor=None, score_cutoff=allowed, limit=None
        )
        terms |= {listed[index][1] for _, _, index in near}
    if word == begun:
        terms |= {term for other, term in listed if other.startswith(word)}
    if word == ended:
        terms |= {term for other, term in listed if other.endswith(word)}
    return terms
