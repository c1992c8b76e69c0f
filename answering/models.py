"""The models of an answer: the one that writes it, those that help, and who pays."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from answering.extractive.model import QuotesModel
from answering.prose.model import ProseModel
from citations.judge import judge_of
from datasources.models import Datasource
from providers.connections.dialects import remember_unsearched
from providers.embedders import embedder
from providers.language_models import chat_at, chat_model, over_budget, structured_model, window_at
from providers.minilm.loaded import local_embedder, local_reader
from providers.protocols import ChatModel, Embedder, StructuredModel
from providers.roles import Endpoint, ModelRole, endpoint
from providers.spending.metering import Payer


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """`judge` is the second reader of claims, `judge_wrote`: also the model that answers; `helper` says
    what a question means. `payer` is charged for all. `over_budget`: whose budget keeps a language model
    from answering, a datasource's number or 0 for the deployment; `is_connected`: whether there is a
    language model, answering or not. `window` and `judge_window` block: how many tokens `answers` and
    `judge` read at once, None where that is not known. `remember_unsearched` blocks: from now on code
    searches for the model that answers.
    """

    answers: ChatModel
    embedder: Embedder
    judge: StructuredModel | None = None
    judge_wrote: bool = False
    judge_window: Callable[[], int | None] = lambda: None
    helper: StructuredModel | None = None
    payer: Payer = field(default_factory=Payer)
    is_connected: bool = False
    over_budget: int | None = None
    window: Callable[[], int | None] = lambda: None
    remember_unsearched: Callable[[], None] = lambda: None

    @property
    def without_search(self) -> "Models":
        """The same, but code searches for the model that writes."""
        return replace(self, answers=ProseModel(self.answers, quotes_model()), helper=None, judge=None)

    @property
    def quotes_alone(self) -> "Models":
        """The documents' own words, without a language model."""
        return replace(self, answers=quotes_model(), judge=None, helper=None)


def models_for(datasource: Datasource, person: int, chosen: int | None = None) -> Models:
    """For a question that the person asks there. The month's budgets are asked for once: what begins within
    them is answered to its end. chosen: number of the connection that is to answer in the usual one's place.
    """
    payer = Payer(person=person, datasource=datasource.pk)
    server = endpoint(datasource, ModelRole.AGENT, chosen=chosen)
    spent = over_budget(datasource) if server else None
    if server is None or spent is not None:
        return Models(
            answers=quotes_model(),
            embedder=embedder(datasource, payer),
            payer=payer,
            is_connected=server is not None,
            over_budget=spent,
        )
    judge = endpoint(datasource, ModelRole.JUDGE)
    models = Models(
        answers=chat_at(server, payer),
        embedder=embedder(datasource, payer),
        judge=judge_of(datasource, payer, watched=True),
        judge_wrote=judge is not None and (judge.base_url, judge.model) == (server.base_url, server.model),
        judge_window=_window(judge) if judge else lambda: None,
        helper=structured_model(datasource, ModelRole.AGENT, payer, chosen=chosen, watched=True),
        payer=payer,
        is_connected=True,
        window=_window(server),
        remember_unsearched=partial(remember_unsearched, server.base_url, server.model),
    )
    return models if models.answers.dialect.searches else models.without_search


def _window(server: Endpoint) -> Callable[[], int | None]:
    """How many tokens its model reads at once; asks the server when called."""
    return partial(window_at, server)


def answer_model(
    datasource: object | None = None,
    payer: Payer | None = None,
    *,
    chosen: int | None = None,
    watched: bool = False,
) -> ChatModel:
    """The datasource's chat model; without one, and while the month's budget is used up, the model that
    answers with the documents' own words. `watched`: the caller itself keeps within the budget.
    """
    model = chat_model(datasource, payer, chosen=chosen, watched=watched)
    if model is None:
        return quotes_model()
    return model if model.dialect.searches else ProseModel(model, quotes_model())


def quotes_model() -> QuotesModel:
    """Answers with the documents' own words, in this process."""
    return QuotesModel(local_embedder(), local_reader())
