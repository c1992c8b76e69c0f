"""Typo-tolerant search for the very words: the query is slid along every text."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import fuzz, process

from text.normal_form import lower_in_place

LIMIT = 10
CUTOFF = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """texts[index][start:end] == text, whole words that resemble the query; score from 0 to 100 (the same
    words).
    """

    index: int
    score: float
    start: int
    end: int
    text: str


def search(
    query: str,
    texts: Sequence[str],
    *,
    limit: int = LIMIT,
    cutoff: float = CUTOFF,
    folded: Sequence[str] | None = None,
) -> list[Match]:
    """The best match in each of the `limit` best texts, best first, none below `cutoff`.

    folded: `lower_in_place` of each text, for a caller that keeps them between searches.
    """
    wanted = " ".join(lower_in_place(query).split())
    if not wanted or not texts:
        return []
    folded = [lower_in_place(text) for text in texts] if folded is None else folded
    scores = process.cdist([wanted], folded, scorer=fuzz.partial_ratio, score_cutoff=cutoff, dtype=np.uint8)[
        0
    ]
    # A text shorter than the query is compared with a part of the query only; it can be worth no more than
    # that part.
    lengths = np.fromiter(map(len, folded), dtype=np.float64, count=len(folded))
    ranked = scores * np.minimum(1.0, lengths / len(wanted))
    best = np.argsort(-ranked, kind="stable")[:limit]
    return [
        _match(wanted, int(index), texts[index], folded[index], float(ranked[index]))
        for index in best
        if ranked[index] >= max(cutoff, 1)
    ]


def _match(wanted: str, index: int, text: str, folded: str, score: float) -> Match:
    start, end = 0, len(text)
    if len(folded) > len(wanted):
        alignment = fuzz.partial_ratio_alignment(wanted, folded)
        assert alignment is not None
        start, end = whole_words(text, alignment.dest_start, alignment.dest_end)
    return Match(index=index, score=score, start=start, end=end, text=text[start:end])


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its edges, widened to the ends of the words it cuts."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while 0 < start < end and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while start < end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end
