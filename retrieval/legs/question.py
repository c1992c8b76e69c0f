"""The words of a question in the index of words: which of them occur, and how rare each is."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from english.periods import period_terms
from ingestion.indexes.search_index import (
    EVERY_CHUNK,
    EVERY_DOCUMENT,
    EVERY_NAMED_DOCUMENT,
    K1,
    hashed,
    in_language,
    of_document,
    sparse,
)
from retrieval.legs import spelt_alike
from retrieval.query import Scope
from retrieval.scope_size import passages_in
from retrieval.sql import query
from text.languages import KNOWN, small_words
from text.search.search_terms import terms, terms_by_language

CANDIDATES = 2000  # passages that have any of a question's rarest words, unless the datasource is large
SHARE_OF_CANDIDATES = 0.08
MISSPELT = 0.7  # what a word counts that the question may have meant
COUNTED = 3000  # passages of a narrow search, in which the words of the question are counted again
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
    def held(self) -> int:
        """How many passages have any of the terms, at the most."""
        return sum(self.counts[term] for term in self.rarity)

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

    documents, passages: how many the datasource has. languages: those of the documents. unknown: words of the
    question that no passage has. spellings: the terms of each word of `written`; meant: of those that are
    misspelt.
    """

    text: str
    words: Words
    names: Words
    documents: int
    passages: int
    languages: tuple[str, ...]
    unknown: tuple[str, ...]
    written: tuple[str, ...]
    spellings: tuple[tuple[int, ...], ...]
    meant: tuple[int, ...]

    def words_in(self, scope: Scope) -> Words:
        """The words weighed by how rare they are in the documents of a narrower scope.

        What tells a document from others, its company or its year, tells nothing of the passages in it.
        """
        if scope.document_ids is None:
            return self.words
        passages = passages_in(scope)
        if not 0 < passages <= COUNTED:
            return self.words
        asked = sorted({*self.meant, *(term for some in self.spellings for term in some)})
        counts = Counter(dict(query("term_counts_in_documents", **scope.parameters(), terms=asked)))
        return _weighed(self.spellings, self.meant, counts, passages)

    @classmethod
    def of(cls, scope: Scope, text: str) -> Self:
        """Look the question's words up."""
        datasource = scope.datasource_id
        written = text[:LONGEST]
        surfaces = terms(written, None)
        stems = terms_by_language(written, ("", *KNOWN))
        periods = period_terms(written)
        counts = _counts(datasource, {*periods, *(term for some in stems.values() for term in some)})
        languages = [code for code in stems if counts[hashed(datasource, in_language(code))]] or [""]
        small = {word for code in languages for word in small_words(code or "en")}
        kept = [i for i, word in enumerate(surfaces) if word not in small] or range(len(surfaces))
        spellings = {surfaces[i]: list(dict.fromkeys(stems[code][i] for code in languages)) for i in kept}
        hashes = {word: tuple(hashed(datasource, t) for t in some) for word, some in spellings.items()}
        unknown = tuple(word for word, some in hashes.items() if not any(counts[term] for term in some))
        named = spellings | {period: [period] for period in periods}
        passages = counts[hashed(datasource, EVERY_CHUNK)]
        meant = sorted(spelt_alike.misspelt(datasource, unknown))
        if meant:
            counts |= Counter(dict(query("term_counts", datasource=datasource, terms=meant)))
        question = cls(
            text=text,
            words=_weighed(hashes.values(), meant, counts, passages),
            names=Words.of(
                ([hashed(datasource, of_document(t)) for t in some] for some in named.values()),
                counts,
                counts[hashed(datasource, EVERY_NAMED_DOCUMENT)],
            ),
            documents=counts[hashed(datasource, EVERY_DOCUMENT)],
            passages=passages,
            languages=tuple(filter(None, languages)),
            unknown=unknown,
            written=tuple(hashes),
            spellings=tuple(hashes.values()),
            meant=tuple(meant),
        )
        return replace(question, words=question.words_in(scope))


def weighed_together(questions: Sequence[Question]) -> list[Question]:
    """One question to several datasources: words are as rare as in all of them together, so that a passage
    is worth the same in any.
    """
    total = sum(question.words.total for question in questions)
    held: Counter[str] = Counter()
    for question in questions:
        for word, terms_of in zip(question.written, question.spellings, strict=True):
            held[word] += max((question.words.counts[term] for term in terms_of), default=0)
    ideal = sum(_rarity(count, total) for count in held.values())
    together = []
    for question in questions:
        counts = question.words.counts
        rarity = dict(question.words.rarity)
        for word, terms_of in zip(question.written, question.spellings, strict=True):
            rarity |= {term: _rarity(held[word], total) for term in terms_of if counts[term]}
        together.append(replace(question, words=replace(question.words, rarity=rarity, ideal=ideal)))
    return together


def _counts(datasource: int, found: Iterable[str]) -> Counter[int]:
    """How many passages and documents have each term, by hash."""
    kinds = [EVERY_CHUNK, EVERY_DOCUMENT, EVERY_NAMED_DOCUMENT, *map(in_language, ("", *KNOWN))]
    looked_up = [*kinds, *(spelling for term in found for spelling in (term, of_document(term)))]
    hashes = [hashed(datasource, term) for term in looked_up]
    return Counter(dict(query("term_counts", datasource=datasource, terms=hashes)))


def _weighed(
    spellings: Iterable[Sequence[int]], meant: Iterable[int], counts: Counter[int], total: int
) -> Words:
    """The words, with possible corrections of those that no passage has, which count less."""
    words = Words.of(spellings, counts, total)
    added = {term: MISSPELT * _rarity(counts[term], total) for term in meant if counts[term]}
    return replace(words, rarity={**added, **words.rarity})


def _rarity(count: int, total: int) -> float:
    """BM25's weight of a word that so many of all have; above 0 even if all have it."""
    return math.log(1 + (max(total - count, 0) + 0.5) / (count + 0.5))
