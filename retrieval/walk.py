"""The arithmetic of multi-hop ranking: from passages like the question to passages that these lead to. Pure.

A question names one thing; the answer often stands in the passage of another thing, which the first passage
mentions. A link leads from the sentence of a passage that names a thing to where that thing is at home (a
title, heading or definition names it), or to another sentence about it that has words of the question.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ingestion.graph.names import fold

MEANING, WORDING = 0.7, 0.3  # shares of vector and words in a passage's own score
TO_HOME = 0.75  # what a link to a thing's home carries over
TO_MENTION = (
    2.5  # the same for a sentence with all words of the question, if only two passages name the thing
)
RARITY = 1.4  # how fast that fades as more passages name it
SENTENCE = 0.4  # exponent: how much it counts that the linking sentence has words of the question
NAMED_HOME, NAMED = 1.5, 0.3  # what a passage gains when the question itself names its thing
SECOND_HOP = 0.75
FRONT = 5  # best passages that are walked from
TARGETS = 60  # best-linked passages that a hop looks at
FLOOR = 0.1  # of a sentence without any word of the question
KEPT = 4096  # texts whose words stay in memory: about 10 MB
K1, B = 1.2, 0.75  # BM25's usual constants

_TOKEN = re.compile(r"\w+")


def tokens(text: str) -> list[str]:
    """Folded words of a text."""
    return _TOKEN.findall(fold(text))


class Link(NamedTuple):
    """A way from one passage to another, over a thing that both name."""

    source: int
    target: int
    leaving: str  # the sentence of the source
    arriving: str  # the sentence of the target; empty at a home
    home: bool
    spread: int  # homes, or passages that name the thing


class Wording:
    """The question's words, each as telling as it is rare among the passages at hand."""

    def __init__(self, question: str, passages: Sequence[str]) -> None:
        self._wanted = [(word, f" {word} ") for word in sorted(set(tokens(question)))]
        self._found: dict[str, dict[str, int]] = {}
        self._shares: dict[str, float] = {}
        here = [self._words_of(text) for text in passages]
        n = len(passages)
        self._weight = {
            word: math.log(1 + (n - df + 0.5) / (df + 0.5))
            for word, _ in self._wanted
            for df in [sum(1 for words in here if word in words)]
        }
        self._total = sum(self._weight.values()) or 1.0
        self._length = sum(map(_length, passages)) / n if n else 1.0

    def _words_of(self, text: str) -> dict[str, int]:
        """The question's words in the text, with their counts."""
        if text not in self._found:
            spaced = _spaced(text)
            self._found[text] = {word: n for word, cut in self._wanted if (n := spaced.count(cut))}
        return self._found[text]

    def bm25(self, text: str) -> float:
        """How well a passage matches by words, 0 and up."""
        norm = K1 * (1 - B + B * _length(text) / self._length)
        return sum(self._weight[t] * n * (K1 + 1) / (n + norm) for t, n in self._words_of(text).items())

    def share(self, sentence: str) -> float:
        """FLOOR to 1: how much of the question's weight the sentence has."""
        if sentence not in self._shares:
            spaced = _spaced(sentence)
            had = sum(self._weight[word] for word, cut in self._wanted if cut in spaced)
            self._shares[sentence] = FLOOR + (1 - FLOOR) * had / self._total
        return self._shares[sentence]


@lru_cache(maxsize=KEPT)
def _spaced(text: str) -> str:
    """The folded words with two spaces between them, so that ` word ` can be counted without a pattern."""
    return "  ".join(["", *tokens(text), ""])


def _length(text: str) -> int:
    return text.count(" ") + 1


@dataclass(slots=True)
class Walk:
    """Scores of passages by id, which grow as links are followed."""

    wording: Wording
    best_meaning: float
    best_wording: float
    own: dict[int, float]
    scale: float = 1.0

    @classmethod
    def begin(cls, question: str, texts: Mapping[int, str], near: Mapping[int, float]) -> "Walk":
        """Score the first passages, given their cosines to the question."""
        wording = Wording(question, list(texts.values()))
        words = {pk: wording.bm25(text) for pk, text in texts.items()}
        walk = cls(
            wording, max(near.values(), default=1.0) or 1.0, max(words.values(), default=1.0) or 1.0, {}
        )
        for pk in texts:
            walk.own[pk] = walk._own(near[pk], words[pk])
        return walk

    def _own(self, near: float, words: float) -> float:
        return MEANING * max(near, 0.0) / self.best_meaning + WORDING * words / self.best_wording

    def meet(self, texts: Mapping[int, str], near: Mapping[int, float]) -> None:
        """Score passages that a link led to."""
        for pk, text in texts.items():
            if pk not in self.own:
                self.own[pk] = self._own(near[pk], self.wording.bm25(text)) / self.scale

    def name(self, homes: Mapping[int, int], mentions: Mapping[int, int]) -> None:
        """Raise the passages of things that the question names; values are how many share the honour."""
        for pk, spread in homes.items():
            if pk in self.own:
                self.own[pk] += NAMED_HOME / math.sqrt(spread)
        for pk, spread in mentions.items():
            if pk in self.own:
                self.own[pk] += NAMED / math.log2(1 + spread)
        self.scale = max(self.own.values(), default=1.0) or 1.0
        self.own = {pk: value / self.scale for pk, value in self.own.items()}

    def weigh(self, links: Sequence[Link]) -> list[tuple[int, int, float]]:
        """(source, target, share of the source's score) of each link."""
        return [(link.source, link.target, self.weight(link)) for link in links]

    def best_targets(self, ways: Sequence[tuple[int, int, float]], scores: Mapping[int, float]) -> list[int]:
        """The passages not met yet to which most of a score leads."""
        carried: dict[int, float] = {}
        for source, target, share in ways:
            if target not in self.own and source in scores:
                carried[target] = max(carried.get(target, 0.0), share * scores[source])
        return sorted(carried, key=lambda pk: (-carried[pk], pk))[:TARGETS]

    def weight(self, link: Link) -> float:
        """How much of the source's score comes over a link."""
        leaving = self.wording.share(link.leaving) ** SENTENCE
        if link.home:
            return leaving * TO_HOME / link.spread
        arriving = 0.04 + self.wording.share(link.arriving)
        return leaving * arriving * TO_MENTION / math.log2(1 + link.spread) ** RARITY

    def follow(
        self, ways: Sequence[tuple[int, int, float]], scores: Mapping[int, float], decay: float
    ) -> dict[int, float]:
        """The scores after one hop: a passage keeps its best way there."""
        after = dict(scores)
        for source, target, share in ways:
            if target in self.own and source in scores:
                value = self.own[target] + share * scores[source] * decay
                if value > after.get(target, 0.0):
                    after[target] = value
        return after


def front(scores: Mapping[int, float]) -> list[int]:
    """The passages to walk from."""
    return sorted(scores, key=lambda pk: (-scores[pk], pk))[:FRONT]
