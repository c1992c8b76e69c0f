"""Neighbouring words of a question that stand side by side in a passage too, as "grace period" does.

Words scattered over a passage say less about its subject.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from text.languages import small_words, stemmer_of
from text.normal_forms.normal_form import fold
from text.normal_forms.spaceless import parts
from text.stems import stem
from text.words import spaced, tokens

LONGEST = 2000  # characters of a question whose phrases are looked for
APART = 2  # places from one word to the next: a small word may stand between them
IN_COMMON = 3  # letters with which all forms of a word begin
LETTERS = 3  # of a script without spaces: pairs of them are words already

Phrase = tuple[str, str]  # words as the question has them, or letters in a row and ""
Held = Mapping[int, Collection[Phrase]]  # by passage


class Phrases:
    """The phrases of a question, for passages in some languages (ISO 639-1)."""

    def __init__(self, question: str, languages: Sequence[str]) -> None:
        self._languages = tuple(languages) or ("",)
        written = tokens(question[:LONGEST])
        small = frozenset().union(*(small_words(code or "en") for code in self._languages))
        told = [(i, word) for i, word in enumerate(written) if word not in small and _is_word(word)]
        self._apart = {(a, b): j - i for (i, a), (j, b) in pairwise(told) if j - i <= APART and a != b}
        self._rows = {
            run[i : i + LETTERS]
            for run in parts(fold(question[:LONGEST]))
            for i in range(len(run) - LETTERS + 1)
        }
        self._spelt: dict[tuple[str, str], set[str]] = defaultdict(set)
        for word in {word for phrase in self._apart for word in phrase}:
            for code in self._languages:
                self._spelt[code, self._stem(word, code)].add(word)
        self._begun = {stem[:IN_COMMON] for _, stem in self._spelt}
        self._begun_together = {
            (x, y) for a, b in self._apart for x in self._beginnings(a) for y in self._beginnings(b)
        }
        self._meant: dict[str, frozenset[str]] = {}  # words of passages: which of the question's they are

    def __bool__(self) -> bool:
        return bool(self._apart or self._rows)

    def held(self, text: str) -> frozenset[Phrase]:
        """The phrases that a passage has, whatever the forms of their words."""
        places: dict[str, list[int]] = defaultdict(list)
        words = spaced(text) if self._apart else ""
        if any(a in words and b in words for a, b in self._begun_together):  # few passages have both
            for place, word in enumerate(words.split()):
                if word[:IN_COMMON] in self._begun:
                    for meant in self._meaning(word):
                        places[meant].append(place)
        rows = {(row, "") for row in self._rows if row in fold(text)}
        return frozenset(
            (a, b)
            for (a, b), apart in self._apart.items()
            if a in places and b in places and _follows(places[a], places[b], apart)
        ).union(rows)

    def shares(self, held: Held, compared: Iterable[Held] = ()) -> dict[int, float]:
        """How much of the phrases each passage has, 0 to 1: a phrase tells the more, the fewer of those that
        are compared have it. `compared`: more than these, where several datasources are searched.
        """
        each = [phrases for some in compared or (held,) for phrases in some.values()]
        counts = Counter(phrase for phrases in each for phrase in phrases)
        rarity = {
            phrase: math.log(1 + (len(each) - counts[phrase] + 0.5) / (counts[phrase] + 0.5))
            for phrase in {*self._apart, *((row, "") for row in self._rows), *counts}
        }
        total = sum(rarity.values())
        return {pk: sum(rarity[phrase] for phrase in phrases) / total for pk, phrases in held.items()}

    def _meaning(self, word: str) -> frozenset[str]:
        if word not in self._meant:
            spelt = [self._spelt.get((code, self._stem(word, code)), ()) for code in self._languages]
            self._meant[word] = frozenset().union(*spelt)
        return self._meant[word]

    def _beginnings(self, word: str) -> set[str]:
        return {self._stem(word, code)[:IN_COMMON] for code in self._languages}

    @staticmethod
    def _stem(word: str, language: str) -> str:
        return fold(stem(word, stemmer_of(language)))


def _is_word(token: str) -> bool:
    """Neither a letter by itself, as the s of a genitive, nor of a script without spaces."""
    return (len(token) > 1 or not token.isalpha()) and not parts(token)


def _follows(before: Sequence[int], behind: Sequence[int], apart: int) -> bool:
    there = set(behind)
    return any(place + step in there for place in before for step in range(1, apart + 1))
