"""One search over several datasources, each with its own vectors."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from datasources.models import Datasource
from providers.protocols import Embedder, ProviderError
from retrieval.asker import asker_of
from retrieval.engine.embedders import SharedEmbedders
from retrieval.engine.fusion import share_of_meaning
from retrieval.engine.one_result import one_result
from retrieval.engine.parts import gains, parts_of, put_together
from retrieval.engine.reranking import for_another_look
from retrieval.engine.result import Result
from retrieval.engine.retrieve import NEED_A_VECTOR, Search, expanding, retrieve
from retrieval.legs.question import weighed_together
from retrieval.query import Query, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one datasource gives.

    `model`: by which its documents are embedded. `problem`: why the query has no vector, so that only its
    words were searched.
    """

    scope: Scope
    datasource: Datasource
    model: str
    result: Result
    problem: str = ""


def retrieve_from(query: Query, scopes: Sequence[Scope]) -> Result:
    """The passages that answer the query, at most k of all the scopes together. Raises ProviderError."""
    if query.expand:
        return expanding(query, scopes, lambda asked: retrieve_from(asked, scopes))
    asked = query if len(scopes) == 1 else for_another_look(query)
    results = [part.result for part in retrieve_each(asked, scopes)]
    return results[0] if asked is query and len(results) == 1 else _together(query, asked, results, scopes)


def retrieve_each(
    query: Query,
    scopes: Sequence[Scope],
    embedders: SharedEmbedders | None = None,
    *,
    words_at_least: bool = False,
) -> list[Part]:
    """The passages of each scope, whose scores can be compared across them.

    Words are as rare and count as much as in all scopes together. What documents are called by and the graph
    are weighed within a datasource; cosines of different models are not the same measure.

    Where one leg searches alone, the score of a passage is that leg's own: the cosine for `dense`.
    words_at_least: where the query has no vector, search for its words in place of raising ProviderError.
    """
    embedders = embedders or SharedEmbedders(asker_of(scopes))
    if not query.rewrites and (asked := parts_of(query)):
        of_parts = [retrieve_each(part, scopes, embedders, words_at_least=words_at_least) for part in asked]
        return _of_parts(query, of_parts)
    datasources = Datasource.objects.in_bulk([scope.datasource_id for scope in scopes])
    placed = [
        (scope, datasources[scope.datasource_id]) for scope in scopes if scope.datasource_id in datasources
    ]
    if query.rewrites:  # what each wording finds is joined by rank: no score of it is compared
        told = [(retrieve(query, scope, embedders.of(datasource)), "") for scope, datasource in placed]
    else:
        begun = [_read(query, scope, embedders.of(each), words_at_least) for scope, each in placed]
        _weigh_alike([search for search, _ in begun])
        told = [(search.result(), problem) for search, problem in begun]
    return [
        Part(
            scope=scope,
            datasource=datasource,
            model=embedders.of(datasource).name,
            result=_in_its_own_measure(query, result),
            problem=problem,
        )
        for (scope, datasource), (result, problem) in zip(placed, told, strict=True)
    ]


def _of_parts(query: Query, found: Sequence[Sequence[Part]]) -> list[Part]:
    """What each datasource gives for all parts of the question, from what it gives for each."""
    gained = gains([[part.result for part in each] for each in found])
    return [
        replace(
            parts[0], result=put_together(query, [part.result for part in parts], gained, [parts[0].scope])
        )
        for parts in zip(*found, strict=True)
    ]


def _read(query: Query, scope: Scope, model: Embedder, words_at_least: bool) -> tuple[Search, str]:
    search, problem = Search(query, scope, model), ""
    try:
        search.read()
        search.understand()
    except ProviderError as error:
        by_words = query.legs - NEED_A_VECTOR
        if not words_at_least or not by_words:
            raise
        search, problem = Search(replace(query, legs=by_words), scope, model), error.message
        search.read()
    return search, problem


def _weigh_alike(searches: Sequence[Search]) -> None:
    """Let words and phrases be as rare, and meaning count as much, as if the datasources were one."""
    questions = [search.candidates.question for search in searches]
    if len(searches) > 1:
        questions = weighed_together(questions)
    for search, question in zip(searches, questions, strict=True):
        search.candidates.question = question
        search.look()
    if len(searches) > 1 and searches[0].query.alpha is None:
        cosines = [cosine for search in searches for cosine in search.candidates.cosines.values()]
        words = [score for search in searches for score in search.candidates.words.values()]
        alpha = share_of_meaning(cosines, words)
        for search in searches:
            search.query = replace(search.query, alpha=alpha)
    for search in searches:
        search.weigh()
    for search in searches:
        search.phrases_compared = [each.phrases_held for each in searches]


def _together(query: Query, part: Query, results: Sequence[Result], scopes: Sequence[Scope]) -> Result:
    evidence = sorted((each for result in results for each in result.evidence), key=lambda each: -each.score)
    languages = {result.foreign for result in results}
    unknown = dict.fromkeys(word for result in results for word in result.unknown)
    return one_result(
        query,
        evidence[: part.k],
        results,
        scopes,
        foreign=languages.pop() if len(languages) == 1 else "",
        unknown=[word for word in unknown if all(word in result.unknown for result in results)],
    )


def _in_its_own_measure(query: Query, result: Result) -> Result:
    if len(query.legs) > 1 or query.rewrites or result.reranked:
        return result
    (leg,) = query.legs
    measured = (replace(each, score=max(0.0, each.legs[leg].score)) for each in result.evidence)
    return replace(result, evidence=tuple(measured))
