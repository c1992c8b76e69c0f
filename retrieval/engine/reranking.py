"""A second look at the best passages, by a model that reads question and passage together."""

from collections.abc import Sequence
from dataclasses import replace

from datasources.models import Datasource
from providers.protocols import ProviderError, StructuredModel
from providers.roles import ModelRole, endpoint, over_budget, reranker, structured_model
from providers.spending.metering import Payer
from providers.spending.models import EVERYWHERE
from retrieval.engine.by_model import Rated, rate
from retrieval.evidence import Evidence
from retrieval.query import Rerank, Scope

LOOKED_AT = 40  # passages, unless more are asked for
NO_SERVER = "No reranking server is set."
NO_MODEL = "No language model is set."
SEVERAL_MODELS = "These datasources have different language models, and passages go to none but their own."
NO_BUDGET = "A month's budget for language models is used up."


def reranked(
    question: str,
    passages: Sequence[Evidence],
    by: Rerank,
    scopes: Sequence[Scope],
    model: StructuredModel | None = None,
) -> tuple[list[Evidence], str]:
    """The passages with the reranker's scores, the best first, and "".

    Where there is no reranker or it fails: as they were, and why. `scopes` are those that were searched.
    `model`: the language model that a caller has made for it.
    """
    try:
        scores = rate(model, question, _rated(passages)) if model else _scores(question, passages, by, scopes)
    except ProviderError as error:
        return list(passages), error.message
    if isinstance(scores, str):
        return list(passages), scores
    told = [replace(each, score=round(score, 4)) for each, score in zip(passages, scores, strict=True)]
    return sorted(told, key=lambda each: -each.score), ""


def _scores(
    question: str, passages: Sequence[Evidence], by: Rerank, scopes: Sequence[Scope]
) -> list[float] | str:
    """A score for each passage, or why there is none. Raises ProviderError."""
    if by == Rerank.BGE:
        server = reranker()
        return server.score(question, [_titled(each) for each in passages]) if server else NO_SERVER
    datasources = Datasource.objects.in_bulk([scope.datasource_id for scope in scopes])
    agents = {endpoint(datasource, ModelRole.AGENT) for datasource in datasources.values()}
    if not any(agents):
        return NO_MODEL
    if len(agents) > 1:
        return SEVERAL_MODELS
    if any(over_budget(datasource) is not None for datasource in datasources.values()):
        return NO_BUDGET
    # Once for all of them, so that over several it is charged to the asker and to none of the datasources.
    alone = next(iter(datasources)) if len(datasources) == 1 else EVERYWHERE
    payer = Payer(person=scopes[0].user_id, datasource=alone)
    model = structured_model(datasources[min(datasources)], ModelRole.AGENT, payer, watched=True)
    if model is None:
        return NO_MODEL
    return rate(model, question, _rated(passages))


def _rated(passages: Sequence[Evidence]) -> list[Rated]:
    return [Rated(document=each.document_title, text=each.text) for each in passages]


def _titled(passage: Evidence) -> str:
    """With the document's title, which a reranker cannot know otherwise."""
    return f"{passage.document_title}\n{passage.text}"
