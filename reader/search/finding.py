"""The passages for a query, from one datasource or several: the engine's, without unrelated ones."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from datasources.models import Datasource, Document
from providers.minilm.loaded import LOCAL_EMBEDDER
from reader.search.asked import Asked
from retrieval.engine import Evidence, Leg, Query, Scope
from retrieval.engine.embedders import SharedEmbedders
from retrieval.engine.filters import filtered
from retrieval.engine.several import Part, retrieve_each
from text.languages import name_of_language
from text.normal_forms.normal_form import fold
from text.search.query_words import Holding, QueryWords
from text.sentences import sentences

MOST = 100  # passages asked for
# Cosine to the query from which a passage without its words is shown. Known for the local embedder alone: of
# another one the nearest few are shown, and called the nearest.
NEAR = 0.3
NEAREST = 10
ENOUGH_WORDS = 0.5  # share of the query's words
STATEMENT = 5  # words; what has fewer is a heading or the like


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
    """The best first, those that are but headings last. `legs`: the searches that took part. `is_cut`: there
    may be more that belong here. `searched`: how many passages were compared, by datasource. `problem`: why
    nothing was searched by meaning. `absent`: words that no passage has, in no form. `foreign`: the English
    name of the query's language, where no document is in it.
    """

    passages: tuple[Passage, ...] = ()
    legs: tuple[Leg, ...] = ()
    is_cut: bool = False
    problem: str = ""
    absent: tuple[str, ...] = ()
    foreign: str = ""
    searched: Mapping[int, int] = field(default_factory=dict)

    @property
    def by_meaning_alone(self) -> bool:
        """No passage has any of the words."""
        return not any(passage.holding.held for passage in self.passages)


def scope_of(datasource: Datasource, asked: Asked, person_id: int) -> Scope:
    """Where to look; filters that no document passes leave none."""
    return filtered(Scope(user_id=person_id, datasource_id=datasource.pk), asked.filters)


def count_documents(asked: Asked, datasources: Sequence[Datasource], person_id: int) -> int:
    """How many ready documents pass the filters."""
    scopes = [scope_of(datasource, asked, person_id) for datasource in datasources]
    whole = [scope.datasource_id for scope in scopes if scope.document_ids is None]
    return sum(len(scope.document_ids or ()) for scope in scopes) + (
        Document.objects.ready().filter(datasource__in=whole).count() if whole else 0
    )


def find(
    asked: Asked, datasources: Sequence[Datasource], person_id: int, embedders: SharedEmbedders | None = None
) -> Found:
    """From each of the datasources, the best of all of them first.

    embedders: of a search for the same words before this one.
    """
    words = QueryWords(asked.words)
    scopes = [scope_of(datasource, asked, person_id) for datasource in datasources]
    query = Query(text=asked.text, k=MOST, legs=frozenset(Leg))
    parts = retrieve_each(
        query,
        [scope for scope in scopes if scope.document_ids is None or scope.document_ids],
        embedders,
        words_at_least=True,
    )
    nowhere = (
        frozenset.intersection(*(frozenset(part.result.unknown) for part in parts)) if parts else frozenset()
    )
    finds = [_found_in(part, words, nowhere) for part in parts]
    if len(finds) == 1:
        return finds[0]
    passages = sorted(
        (passage for found in finds for passage in found.passages),
        key=lambda each: (is_bare(each.evidence.text), -each.evidence.score),
    )
    ran = {leg for found in finds for leg in found.legs}
    foreign = {found.foreign for found in finds}
    return Found(
        searched={place: count for found in finds for place, count in found.searched.items()},
        passages=tuple(passages[:MOST]),
        legs=tuple(leg for leg in Leg if leg in ran),
        is_cut=len(passages) > MOST or any(found.is_cut for found in finds),
        problem=next((found.problem for found in finds if found.problem), ""),
        absent=tuple(word for word in words.words if finds and all(word in each.absent for each in finds)),
        foreign=foreign.pop() if len(foreign) == 1 else "",
    )


def _found_in(part: Part, words: QueryWords, nowhere: frozenset[str]) -> Found:
    """nowhere: words that no datasource has, folded."""
    result = part.result
    every = [
        Passage(evidence=evidence, datasource=part.datasource, holding=holding)
        for evidence, holding in zip(
            result.evidence,
            _holdings(words, [each.text for each in result.evidence], nowhere),
            strict=True,
        )
    ]
    passages = _related(every, is_local=part.model == LOCAL_EMBEDDER)
    searched = part.scope.chunks().count()
    held = {place for passage in every for place in passage.holding.held}
    return Found(
        passages=tuple(sorted(passages, key=lambda each: is_bare(each.evidence.text))),
        legs=tuple(leg for leg in Leg if leg in result.milliseconds),
        is_cut=bool(every) and len(passages) == len(every) < searched,
        searched={part.datasource.pk: searched},
        problem=part.problem,
        absent=tuple(
            word
            for place, word in enumerate(words.words)
            if place not in held and fold(word) in result.unknown
        ),
        foreign=name_of_language(result.foreign),
    )


def _holdings(words: QueryWords, texts: Sequence[str], unknown: Collection[str]) -> list[Holding]:
    """What each text holds. A word that a passage of any datasource has as it was typed is misspelt in none.

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


def is_bare(text: str) -> bool:
    """Whether a text has nothing but headings; the rows of a table say something."""
    pieces = (text[start:end] for start, end in sentences(text))
    return all("\t" not in piece and len(piece.split()) < STATEMENT for piece in pieces)


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
