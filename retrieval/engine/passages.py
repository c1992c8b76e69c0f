"""Deals with passages that repeat one another, and with neighbours that overlap."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.evidence import Evidence
from text.words import tokens


def without_repetitions(passages: Sequence[Evidence]) -> list[Evidence]:
    """The passages, with those last that only repeat a better one but for white space, case and punctuation.
    They are not dropped, so that as many as were asked for can be given.
    """
    said: set[str] = set()
    first: list[Evidence] = []
    repeating: list[Evidence] = []
    for passage in passages:
        words = " ".join(tokens(passage.text))
        (repeating if words in said else first).append(passage)
        said.add(words)
    return [*first, *repeating]


def joined(passages: Sequence[Evidence]) -> list[Evidence]:
    """Neighbours of one document as one passage, with the place and the scores of the better one."""
    kept: list[Evidence] = []
    for passage in passages:
        for i, other in enumerate(kept):
            if other.document_id == passage.document_id and _touch(other, passage):
                kept[i] = _join(other, passage)
                break
        else:
            kept.append(passage)
    return kept if len(kept) == len(passages) else joined(kept)


def _touch(a: Evidence, b: Evidence) -> bool:
    return a.start <= b.end and b.start <= a.end


def _join(best: Evidence, other: Evidence) -> Evidence:
    first, last = sorted((best, other), key=lambda passage: (passage.start, passage.end))
    text = first.text + last.text[max(0, first.end - last.start) :] if last.end > first.end else first.text
    return replace(
        best,
        text=text,
        start=first.start,
        end=max(first.end, last.end),
        first_page=min(best.first_page, other.first_page),
        last_page=max(best.last_page, other.last_page),
        matched=None,
    )
