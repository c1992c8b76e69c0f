"""Typo-tolerant search for the very words: what counts as these words, and where in each text they stand."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from text.normal_forms.clean_form import Cleaned, clean_form, cleaned
from text.normal_forms.normal_form import lower_in_place
from text.normal_forms.spaceless import count_letters, cuts_word, with_line_ends

LIMIT = 10
WORTH_A_LOOK = 70  # likeness by letters, 0 to 100; words with the slips that are forgiven have more
# A word may have one slip from so many letters on, and two from so many: a letter too many, too few, another,
# or two swapped. Shorter words, and whatever has a figure in it, must be spelt the same.
ONE_SLIP, TWO_SLIPS = 4, 8
SHORTEST_PIECE = 4  # letters of a word that is only begun or ended: "terminat"
MISSING = 5  # of so many words one may be missing
FIRST_CJK = "\u2e80"  # scripts from here on write no spaces between words

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """texts[index][start:end] == text, whole words; score says how near they are to those that were sought,
    up to 100 (the same words).
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
    folded: Sequence[str] | None = None,
    groups: Sequence[int] | None = None,
) -> list[Match]:
    """The nearest place in each text that has the words, slips forgiven; the nearest first, at most `limit`.

    folded: `lower_in_place` of each text, which is clean then, for a caller that keeps them between searches.
    groups: what each text belongs to; of matches that are equally near, one of each group comes before a
    second of any.
    """
    sought = " ".join(lower_in_place(clean_form(query)).split())
    if not sought or not texts:
        return []
    forms = [cleaned(text) for text in texts]
    written, texts = texts, [form.text for form in forms]
    folded = [lower_in_place(text) for text in texts] if folded is None else folded
    matches = list(_same(sought, texts, folded))
    if len(matches) < limit:
        same = {match.index for match in matches}
        matches += [match for match in _similar(sought, texts, folded) if match.index not in same]
    matches.sort(key=lambda match: (-match.score, match.index))
    if groups is not None:
        matches = _taking_turns(matches, groups)
    return [_as_written(match, forms[match.index], written[match.index]) for match in matches[:limit]]


def _as_written(match: Match, form: Cleaned, text: str) -> Match:
    """The match where it stands in the text that was given."""
    start, end = form.before(match.start, match.end)
    return replace(match, start=start, end=end, text=text[start:end])


def _taking_turns(matches: Sequence[Match], groups: Sequence[int]) -> list[Match]:
    seen: Counter[tuple[float, int]] = Counter()
    turns = []
    for match in matches:
        place = match.score, groups[match.index]
        turns.append(seen[place])
        seen[place] += 1
    order = sorted(range(len(matches)), key=lambda i: (-matches[i].score, turns[i], matches[i].index))
    return [matches[i] for i in order]


def _same(sought: str, texts: Sequence[str], folded: Sequence[str]) -> Iterator[Match]:
    """Texts with the very words, from the beginning of a word to the end of one; white space may differ."""
    pattern = re.compile(with_line_ends(r"\s+".join(map(re.escape, sought.split()))))
    alone = " " not in sought and not count_letters(sought)
    for index, text in enumerate(folded):
        if alone and sought not in text:
            continue
        for found in pattern.finditer(text):
            if not _cuts_word(text, *found.span()):
                start, end = found.span()
                yield Match(index=index, score=100, start=start, end=end, text=texts[index][start:end])
                break


def _similar(sought: str, texts: Sequence[str], folded: Sequence[str]) -> Iterator[Match]:
    likeness = process.cdist(
        [sought], folded, scorer=fuzz.partial_ratio, score_cutoff=WORTH_A_LOOK, dtype=np.uint8
    )[0]
    words = _WORD.findall(sought)
    for index in np.flatnonzero(likeness).tolist():
        start, end = 0, len(texts[index])
        if len(folded[index]) > len(sought):
            alignment = fuzz.partial_ratio_alignment(sought, folded[index])
            assert alignment is not None
            start, end = whole_words(texts[index], alignment.dest_start, alignment.dest_end)
        if score := _nearness(words, _WORD.findall(folded[index][start:end])):
            yield Match(index=index, score=score, start=start, end=end, text=texts[index][start:end])


def _nearness(sought: Sequence[str], words: Sequence[str]) -> float:
    """How near a text's words are to those sought, up to 100; 0 when they are other words."""
    if not sought or not words:
        return 0.0
    shares = []
    for position, word in enumerate(sought):
        edges = (position == 0 and len(sought) > 1, position == len(sought) - 1)
        shares.append(max((_likeness(word, other, *edges) for other in words), default=0.0))
    missing = shares.count(0.0)
    figures_missing = any(
        not share and any(map(str.isdigit, word)) for word, share in zip(sought, shares, strict=True)
    )
    if missing > len(sought) // MISSING or figures_missing:
        return 0.0
    letters = sum(map(len, sought))
    return 100 * sum(share * len(word) for word, share in zip(sought, shares, strict=True)) / letters


def _likeness(word: str, other: str, may_lack_beginning: bool, may_lack_end: bool) -> float:
    """1 for the same word, less for each slip, 0 for another word."""
    if word == other:
        return 1.0
    if any(map(str.isdigit, word)):
        return 0.0
    longest = max(len(word), len(other))
    slips = slips_forgiven(word)
    distance = OSA.distance(word, other, score_cutoff=slips)
    if distance <= slips:
        return 1 - distance / longest
    begun = may_lack_end and other.startswith(word)
    ended = may_lack_beginning and other.endswith(word)
    return len(word) / longest if len(word) >= SHORTEST_PIECE and (begun or ended) else 0.0


def slips_forgiven(word: str) -> int:
    """How many slips of spelling a word may have."""
    return 0 if any(map(str.isdigit, word)) else (len(word) >= ONE_SLIP) + (len(word) >= TWO_SLIPS)


def _cuts_word(text: str, start: int, end: int) -> bool:
    return cuts_word(text, start) or cuts_word(text, end)


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its edges, widened to the ends of the words it cuts."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and cuts_word(text, start):
        start -= 1
    while start < end and cuts_word(text, end):
        end += 1
    return start, end
