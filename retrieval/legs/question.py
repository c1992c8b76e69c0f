"""The words of a question as the index of words knows them: which of them occur, and how rare each is."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from ingestion.search_index import (
    EVERY_CHUNK,
    EVERY_DOCUMENT,
    EVERY_NAMED_DOCUMENT,
    K1,
    hashed,
    in_language,
    of_document,
    sparse,
)
from retrieval.legs import vocabulary
from retrieval.query import Scope
from retrieval.sql import query
from text.languages import KNOWN, small_words
from text.periods import period_terms
from text.search_terms import terms

CANDIDATES = 2000  # passages that have any of a question's rarest words, unless the datasource is large
SHARE_OF_CANDIDATES = 0.08
MISSPELT = 0.7  # what a word counts that the question may have meant
LONGEST = 2000  # characters of a question whose words are looked up
MOST = K1 + 1  # the most that one word may weigh in a passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """`rarity` and `counts` of the terms that occur, by hash. `ideal`: the rarity of all words of the
    question, of those too that occur nowhere. `total`: passages or documents in all.
    """

    rarity: Mapping[int, float]
    counts: Mapping[int, int]
    ideal: float
    total: int

    @property
    def vector(self) -> str:
        """As Postgres reads it."""
        return sparse(self.rarity)

    @property
    def rarest(self) -> list[int]:
        """The rarest terms, as long as few passages have any of them; one at the least."""
        cap = max(CANDIDATES, SHARE_OF_CANDIDATES * self.total)
        kept: list[int] = []
        held = 0
        for term in sorted(self.rarity, key=lambda term: (self.counts[term], term)):
            held += self.counts[term]
            if kept and held > cap:
                break
            kept.append(term)
        return kept

    @classmethod
    def of(cls, spellings: Iterable[Sequence[int]], counts: Mapping[int, int], total: int) -> Self:
        """From the hashes of each word, one a language in which it may be written."""
        rarity: dict[int, float] = {}
        ideal = 0.0
        for hashes in spellings:
            there = {term: _rarity(counts[term], total) for term in hashes if counts[term]}
            rarity |= there
            ideal += max(there.values(), default=_rarity(0, total))
        return cls(rarity=rarity, counts=counts, ideal=ideal, total=total)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`words` are looked up in passages, `names` in what documents are called by.

    languages: those of the documents. unknown: words of the question that no passage has.
    """

    text: str
    words: Words
    names: Words
    documents: int
    languages: tuple[str, ...]
    unknown: tuple[str, ...]

    @classmethod
    def of(cls, scope: Scope, text: str) -> Self:
        """Look the question's words up."""
        datasource = scope.datasource_id
        written = text[:LONGEST]
        surfaces = terms(written, None)
        stems = {code: terms(written, code) for code in ("", *KNOWN)}
        periods = period_terms(written)
        counts = _counts(datasource, {*periods, *(term for some in stems.values() for term in some)})
        languages = [code for code in stems if counts[hashed(datasource, in_language(code))]] or [""]
        small = {word for code in languages for word in small_words(code or "en")}
        kept = [i for i, word in enumerate(surfaces) if word not in small] or range(len(surfaces))
        spellings = {surfaces[i]: list(dict.fromkeys(stems[code][i] for code in languages)) for i in kept}
        hashes = {word: [hashed(datasource, t) for t in some] for word, some in spellings.items()}
        unknown = tuple(word for word, some in hashes.items() if not any(counts[term] for term in some))
        named = spellings | {period: [period] for period in periods}
        passages = counts[hashed(datasource, EVERY_CHUNK)]
        return cls(
            text=text,
            words=_corrected(Words.of(hashes.values(), counts, passages), scope, unknown),
            names=Words.of(
                ([hashed(datasource, of_document(t)) for t in some] for some in named.values()),
                counts,
                counts[hashed(datasource, EVERY_NAMED_DOCUMENT)],
            ),
            documents=counts[hashed(datasource, EVERY_DOCUMENT)],
            languages=tuple(filter(None, languages)),
            unknown=unknown,
        )


def _counts(datasource: int, found: Iterable[str]) -> Counter[int]:
    """How many passages and documents have each term, by hash."""
    kinds = [EVERY_CHUNK, EVERY_DOCUMENT, EVERY_NAMED_DOCUMENT, *map(in_language, ("", *KNOWN))]
    looked_up = [*kinds, *(spelling for term in found for spelling in (term, of_document(term)))]
    hashes = [hashed(datasource, term) for term in looked_up]
    return Counter(dict(query("term_counts", datasource=datasource, terms=hashes)))


def _corrected(words: Words, scope: Scope, unknown: Sequence[str]) -> Words:
    """With the words that may be meant by those that no passage has; each counts less than as written."""
    meant = vocabulary.misspelt(scope.datasource_id, unknown)
    if not meant:
        return words
    counts = Counter(dict(query("term_counts", datasource=scope.datasource_id, terms=sorted(meant))))
    added = {t: MISSPELT * _rarity(counts[t], words.total) for t in meant if counts[t]}
    return Words(
        rarity={**added, **words.rarity}, counts={**counts, **words.counts},
        ideal=words.ideal, total=words.total,
    )  # fmt: skip


def _rarity(count: int, total: int) -> float:
    """BM25's weight of a word that so many of all have; above 0 even if all have it."""
    return math.log(1 + (max(total - count, 0) + 0.5) / (count + 0.5))
