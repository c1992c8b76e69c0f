"""Words of a datasource whose spelling is close to a question's words."""

from collections.abc import Iterable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ingestion.search_index import SHORTEST_WORD
from retrieval.sql import query
from text.fuzzy_match import SHORTEST_PIECE, slips_forgiven
from text.normal_form import fold


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
    listed = query(
        "words_like", datasource=datasource_id, begun=begun, ended=ended,
        shortest=max(SHORTEST_WORD, min(lengths, default=0) - 2), longest=max(lengths, default=0) + 2,
    )  # fmt: skip
    there = [word for word, _ in listed]
    found = []
    for word in words:
        allowed = slips_forgiven(word)
        near = process.extract(
            word, there, scorer=OSA.distance, processor=None, score_cutoff=allowed, limit=None
        ) if allowed else []  # fmt: skip
        terms = {listed[index][1] for _, _, index in near}
        if word == begun:
            terms |= {term for other, term in listed if other.startswith(word)}
        if word == ended:
            terms |= {term for other, term in listed if other.endswith(word)}
        found.append(terms)
    return found
