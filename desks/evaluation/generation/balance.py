"""Choosing among drafts: none gives its source away or repeats another, and all sorts are balanced."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from desks.evaluation.questions.draft import Draft
from text.search.search_terms import terms

ALIKE = 0.8  # of the words of two questions
COPIED = 9  # words in a row that question and quote share
_PLACE = re.compile(r"\b(?:page|p\.|section|clause|figure|table|exhibit)\s+\d", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def gives_source_away(draft: Draft) -> bool:
    """Names a page, the whole title of a document, or copies its words at length."""
    asked = _words(draft.text)
    if _PLACE.search(draft.text):
        return True
    for proof in draft.proofs:
        title = _words(proof.title)
        if len(title) > 2 and _contains(asked, title):
            return True
        if _longest_common_run(asked, _words(proof.quote)) >= COPIED:
            return True
    return False


def is_alike(one: str, other: str) -> bool:
    """Whether two questions ask the same in nearly the same words; figures and dates tell them apart."""
    ours, theirs = _terms(one), _terms(other)
    figures = {term for term in ours ^ theirs if any(map(str.isdigit, term))}
    return not figures and len(ours & theirs) >= ALIKE * max(1, len(ours | theirs))


def choose(
    drafts: Iterable[Draft], count: int, known: Sequence[str] = ()
) -> tuple[list[Draft], Counter[str]]:
    """At most `count`, the documents, rules, pages and subjects in turn; and how many were left out, and why.

    known: questions that are there already.
    """
    left_out: Counter[str] = Counter()
    able: list[Draft] = []
    for draft in drafts:
        if gives_source_away(draft):
            left_out["gives its source away"] += 1
        else:
            able.append(draft)
    chosen: list[Draft] = []
    texts = list(known)
    weights: Counter[tuple[str, object]] = Counter()
    while able and len(chosen) < count:
        best = min(able, key=lambda draft: _weight(draft, weights))
        able.remove(best)
        if any(is_alike(best.text, text) for text in texts):
            left_out["repeats another"] += 1
            continue
        chosen.append(best)
        texts.append(best.text)
        weights.update(_features(best))
    return chosen, left_out


def _weight(draft: Draft, weights: Counter[tuple[str, object]]) -> float:
    """How much of its kind is chosen already."""
    return sum(weights[feature] for feature in _features(draft)) / len(_features(draft))


def _features(draft: Draft) -> list[tuple[str, object]]:
    first = draft.proofs[0] if draft.proofs else None
    pages = [("page", (first.document_id, (first.start or 0) // 6000))] if first else []
    subjects = [("subject", subject) for subject in draft.subject.lower().split(" / ")]
    return [("documents", draft.documents), ("rule", draft.template), *subjects, *pages]


@lru_cache(maxsize=10_000)  # each question is held against all others of its set
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(list(words[at : at + len(part)]) == list(part) for at in range(len(words) - len(part) + 1))


def _longest_common_run(one: Sequence[str], other: Sequence[str]) -> int:
    best = 0
    before = [0] * (len(other) + 1)
    for word in one:
        row = [0] * (len(other) + 1)
        for at, theirs in enumerate(other, start=1):
            if word == theirs:
                row[at] = before[at - 1] + 1
                best = max(best, row[at])
        before = row
    return best
