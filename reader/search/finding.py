"""The passages for a query, from one datasource or several: the engine's, without unrelated ones."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from datasources.models import Datasource
from providers.protocols import Embedder, ProviderError
from providers.roles import LOCAL_EMBEDDER, embedder
from reader.search.asked import Asked
from retrieval.engine import Evidence, Leg, Query, Result, Scope, retrieve
from retrieval.engine.filters import filtered
from text.normal_form import fold
from text.query_words import Holding, QueryWords

MOST = 100  # passages asked for
MEANING_LEGS = frozenset({Leg.DENSE, Leg.GRAPH})  # need the query's vector
# Cosine to the query from which a passage without its words is shown. Known for the local embedder alone: of
# another one the nearest few are shown, and called the nearest.
NEAR = 0.3
NEAREST = 10
ENOUGH_WORDS = 0.5  # share of the query's words


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What was found, and what it holds of the query."""

    evidence: Evidence
    datasource: Datasource
    holding: Holding

    @property
    def similarity(self) -> float:
        """To the query, 0 where the search by meaning did not give the passage."""
        dense = self.evidence.legs.get(Leg.DENSE)
        return dense.score if dense else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The best first. `legs`: the searches that took part. `is_cut`: there may be more that belong here.

    `searched`: how many passages were compared, by datasource. `problem`: why nothing was searched by
    meaning. `absent`: words that no passage has, in no form.
    """

    passages: tuple[Passage, ...] = ()
    legs: tuple[Leg, ...] = ()
    is_cut: bool = False
    problem: str = ""
    absent: tuple[str, ...] = ()
    searched: Mapping[int, int] = field(default_factory=dict)

    @property
    def by_meaning_alone(self) -> bool:
        """No passage has any of the words."""
        return not any(passage.holding.held for passage in self.passages)


def scope_of(datasource: Datasource, asked: Asked, person_id: int) -> Scope:
    """Where to look; filters that no document passes leave none."""
    return filtered(Scope(user_id=person_id, datasource_id=datasource.pk), asked.filters)


def find(asked: Asked, datasources: Sequence[Datasource], person_id: int) -> Found:
    """From each of the datasources; of several, in an order that compares passages across them."""
    words = QueryWords(asked.words)
    parts = [_find_in(datasource, asked, words, person_id) for datasource in datasources]
    if len(parts) == 1:
        return parts[0]
    passages = sorted(
        (passage for part in parts for passage in part.passages),
        # An engine's scores compare passages of one search alone.
        key=lambda passage: -(passage.holding.share + passage.similarity),
    )
    ran = {leg for part in parts for leg in part.legs}
    return Found(
        searched={place: count for part in parts for place, count in part.searched.items()},
        passages=tuple(passages[:MOST]),
        legs=tuple(leg for leg in Leg if leg in ran),
        is_cut=len(passages) > MOST or any(part.is_cut for part in parts),
        problem=next((part.problem for part in parts if part.problem), ""),
        absent=tuple(word for word in words.words if parts and all(word in part.absent for part in parts)),
    )


def _find_in(datasource: Datasource, asked: Asked, words: QueryWords, person_id: int) -> Found:
    scope = scope_of(datasource, asked, person_id)
    if scope.document_ids is not None and not scope.document_ids:
        return Found()
    model = embedder(datasource)
    result, problem = _retrieve(asked.text, scope, model)
    every = [
        Passage(evidence=evidence, datasource=datasource, holding=holding)
        for evidence, holding in zip(
            result.evidence,
            _holdings(words, [each.text for each in result.evidence], frozenset(result.unknown)),
            strict=True,
        )
    ]
    passages = _related(every, is_local=model.name == LOCAL_EMBEDDER)
    searched = scope.chunks().count()
    held = {place for passage in every for place in passage.holding.held}
    return Found(
        passages=tuple(passages),
        legs=tuple(leg for leg in Leg if leg in result.milliseconds),
        is_cut=bool(every) and len(passages) == len(every) < searched,
        searched={datasource.pk: searched},
        problem=problem,
        absent=tuple(
            word
            for place, word in enumerate(words.words)
            if place not in held and fold(word) in result.unknown
        ),
    )


def _holdings(words: QueryWords, texts: Sequence[str], unknown: Collection[str]) -> list[Holding]:
    """What each text holds. A word that a passage of the datasource has as it was typed is misspelt in none.

    unknown: words that none has, folded.
    """
    holdings = [words.held_by(text) for text in texts]
    known = {word for holding in holdings for word in holding.held - holding.misspelt}
    every = enumerate(words.words)  # the index has compounds and figures in pieces
    known |= {place for place, word in every if word.isalpha() and fold(word) not in unknown}
    return [
        words.held_by(text, strict=known) if holding.misspelt & known else holding
        for text, holding in zip(texts, holdings, strict=True)
    ]


def _retrieve(text: str, scope: Scope, model: Embedder) -> tuple[Result, str]:
    """By all legs; where the query has no vector, by those that need none. And why it has none."""
    query = Query(text=text, k=MOST, legs=frozenset(Leg))
    try:
        return retrieve(query, scope, model), ""
    except ProviderError as error:
        by_words = Query(text=text, k=MOST, legs=frozenset(Leg) - MEANING_LEGS)
        return retrieve(by_words, scope, model), error.message


def _related(passages: Sequence[Passage], *, is_local: bool) -> list[Passage]:
    """Those with enough of the words, or near enough in meaning."""
    kept, nearest = [], 0
    for passage in passages:
        related = passage.holding.share >= ENOUGH_WORDS
        if not related and is_local:
            related = passage.similarity >= NEAR
        elif not related and nearest < NEAREST:
            related, nearest = passage.similarity > 0, nearest + 1
        if related:
            kept.append(passage)
    return kept
