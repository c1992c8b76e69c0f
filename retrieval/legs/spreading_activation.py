"""The arithmetic of graph expansion: activation spreads from passages over the entities that they name.

A question names one thing; the answer often stands in the passage of another thing, which the first passage
mentions. A link leads from the sentence of a passage that names an entity to the passage that is its home (a
title, heading or definition names it), or to another sentence about it that has words of the question. It
carries the more, the more words of the question its target has that the passage it comes from lacks.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from text.words import spaced

MEANING, WORDING = 0.7, 0.3  # shares of vector and words in a passage's own score
TO_HOME = 0.75  # what a link to an entity's home carries over
# The same for a sentence with all words of the question, if only two passages name the entity.
TO_MENTION = 2.5
RARITY = 1.4  # how fast that fades as more passages name it
SENTENCE = 0.4  # exponent: how much it counts that the linking sentence has words of the question
COMPLETING = 3.0  # what a link gains whose target has all words of the question that its source lacks
NAMED_HOME, NAMED = 1.5, 0.3  # what a passage gains when the question itself names its entity
SECOND_HOP = 0.75
FRONT = 5  # best passages from which a hop spreads
TARGETS = 30  # new passages whose words a hop looks at
FLOOR = 0.1  # of a sentence without any word of the question
KEPT = 4096  # texts whose tokens stay in memory: about 10 MB
K1, B = 1.2, 0.75  # BM25's usual constants


def tokens(text: str) -> list[str]:
    """text.words.tokens, kept."""
    return _spaced(text).split()


_spaced = lru_cache(maxsize=KEPT)(spaced)


@dataclass(slots=True)
class Entity:
    """What passages say of an entity, by passage; `sources` are those from which activation spreads."""

    name: str = ""
    sources: dict[int, str] = field(default_factory=lambda: defaultdict(str))
    mentions: dict[int, str] = field(default_factory=lambda: defaultdict(str))
    homes: set[int] = field(default_factory=set)


class Wording:
    """The question's words, each as telling as it is rare among the passages at hand."""

    def __init__(self, question: str, passages: Sequence[str]) -> None:
        self._words = frozenset(tokens(question))
        self._shares: dict[str, float] = {}
        self._had: dict[str, frozenset[str]] = {}
        n = len(passages)
        here = Counter(word for text in passages for word in self._words.intersection(tokens(text)))
        self._weight = {
            word: math.log(1 + (n - here[word] + 0.5) / (here[word] + 0.5)) for word in sorted(self._words)
        }
        self._total = sum(self._weight.values()) or 1.0
        self._length = sum(map(_length, passages)) / n if n else 1.0

    def bm25(self, text: str) -> float:
        """How well a passage matches by words, 0 and up."""
        counts = Counter([word for word in tokens(text) if word in self._words])
        norm = K1 * (1 - B + B * _length(text) / self._length)
        return math.fsum([self._weight[word] * n * (K1 + 1) / (n + norm) for word, n in counts.items()])

    def share(self, said: str) -> float:
        """FLOOR to 1: how much of the question's weight is in some sentences."""
        if said not in self._shares:
            had = self._weight_of(self._words.intersection(tokens(said)))
            self._shares[said] = FLOOR + (1 - FLOOR) * had / self._total
        return self._shares[said]

    def completion(self, source: str, target: str) -> float:
        """0 to 1: how much of what a passage lacks of the question's weight another one has."""
        lacking = self._words - self._in(source)
        return self._weight_of(lacking & self._in(target)) / (self._weight_of(lacking) or 1.0)

    def _in(self, text: str) -> frozenset[str]:
        if text not in self._had:
            self._had[text] = self._words.intersection(tokens(text))
        return self._had[text]

    def _weight_of(self, words: Iterable[str]) -> float:
        return math.fsum([self._weight[word] for word in words])


def _length(text: str) -> int:
    return text.count(" ") + 1


@dataclass(slots=True)
class Activation:
    """Scores of passages by id, which grow hop by hop; `texts` and `near`, their cosines to the question, may
    grow meanwhile.
    """

    wording: Wording
    texts: Mapping[int, str]
    near: Mapping[int, float]
    best_meaning: float
    best_wording: float
    own: dict[int, float]
    scale: float = 1.0
    led: dict[int, tuple[float, str, str]] = field(default_factory=dict)  # by what a passage was reached

    @classmethod
    def begin(cls, question: str, texts: Mapping[int, str], near: Mapping[int, float]) -> "Activation":
        """Score the first passages, given their cosines to the question."""
        wording = Wording(question, list(texts.values()))
        words = {pk: wording.bm25(text) for pk, text in texts.items()}
        activation = cls(
            wording,
            texts,
            near,
            max(near.values(), default=1.0) or 1.0,
            max(words.values(), default=1.0) or 1.0,
            {},
        )
        for pk in texts:
            activation.own[pk] = activation._own(near[pk], words[pk])
        return activation

    def _own(self, near: float, words: float) -> float:
        return MEANING * max(near, 0.0) / self.best_meaning + WORDING * words / self.best_wording

    def boost(self, homes: Mapping[int, int], mentions: Mapping[int, int]) -> None:
        """Raise the passages of entities that the question names; the values tell how many share that."""
        for pk, spread in homes.items():
            if pk in self.own:
                self.own[pk] += NAMED_HOME / math.sqrt(spread)
        for pk, spread in mentions.items():
            if pk in self.own:
                self.own[pk] += NAMED / math.log2(1 + spread)
        self.scale = max(self.own.values(), default=1.0) or 1.0
        self.own = {pk: value / self.scale for pk, value in self.own.items()}

    def spread(self, entities: Iterable[Entity], scores: Mapping[int, float]) -> dict[int, float]:
        """The most that comes over an entity from these passages to each that tells of it."""
        texts = self.texts
        spread: dict[int, float] = {}
        for entity in entities:
            sources = entity.sources.keys() & scores.keys()
            arriving = self._arriving(entity) if sources else {}
            for source in sources:
                leaving = scores[source] * self.wording.share(entity.sources[source]) ** SENTENCE
                for target, share in arriving.items():
                    least = leaving * share
                    if target == source or least * (1 + COMPLETING) <= spread.get(target, 0.0):
                        continue
                    value = least * (1 + COMPLETING * self.wording.completion(texts[source], texts[target]))
                    if value > spread.get(target, 0.0):
                        spread[target] = value
                        if value > self.led.get(target, (0.0,))[0]:
                            self.led[target] = value, entity.name, entity.sources[source]
        return spread

    def _arriving(self, entity: Entity) -> dict[int, float]:
        """How much of what leaves for the entity comes to each passage that tells of it."""
        spread = len({*entity.sources, *entity.homes, *entity.mentions})
        rarity = TO_MENTION / math.log2(1 + spread) ** RARITY
        arriving = {pk: rarity * (0.04 + self.wording.share(said)) for pk, said in entity.mentions.items()}
        arriving |= dict.fromkeys(entity.homes, TO_HOME / max(1, len(entity.homes)))
        return {pk: share for pk, share in arriving.items() if pk in self.texts}

    def score_new(self, carried: Mapping[int, float]) -> None:
        """Score the new passages that promise most, their words aside."""
        near = self.near
        promise = {
            pk: carried[pk] + self._own(near[pk], 0.0) / self.scale for pk in carried.keys() - self.own.keys()
        }
        for pk in best(promise, TARGETS):
            self.own[pk] = self._own(near[pk], self.wording.bm25(self.texts[pk])) / self.scale

    def after_hop(
        self, carried: Mapping[int, float], scores: Mapping[int, float], decay: float
    ) -> dict[int, float]:
        """The scores after one hop: a passage keeps its best way there."""
        after = dict(scores)
        for pk in carried.keys() & self.own.keys():
            after[pk] = max(after.get(pk, 0.0), self.own[pk] + carried[pk] * decay)
        return after


def best(scores: Mapping[int, float], limit: int) -> list[int]:
    """The passages with the highest scores, the highest first."""
    return sorted(scores, key=lambda pk: (-scores[pk], pk))[:limit]
