"""The models that read two texts together: a question with a passage, a quote with a claim."""

from functools import cache
from typing import TYPE_CHECKING

from providers.absent import AbsentEntailment, AbsentReranker
from providers.charging import meter_of
from providers.local_models import store
from providers.local_models.roles import LocalRole
from providers.protocols import Entailment, Reranker
from providers.roles import RERANK_TIMEOUT, Endpoint, ModelRole, endpoint
from providers.spending.metering import MeteredReranker, Payer

if TYPE_CHECKING:
    from providers.openai.reranker import ServerReranker


def reranker(payer: Payer) -> Reranker | None:
    """The server or installed model of the rerank role; None without one. Charged to the payer."""
    server = endpoint(None, ModelRole.RERANK)
    if server is None or not server.is_installed:
        return reranker_at(server, payer) if server else None
    from providers.local_models.cross_encoder import LocalReranker

    model = store.find(LocalRole.RERANK, server.model)
    return LocalReranker(model, RERANK_TIMEOUT) if model else AbsentReranker(server.model)


def reranker_at(server: Endpoint, payer: Payer) -> Reranker:
    """A server that ranks."""
    return MeteredReranker(_reranker_of(server), meter_of(server, payer))


@cache
def _reranker_of(server: Endpoint) -> "ServerReranker":
    from providers.openai.reranker import ServerReranker

    return ServerReranker(server.base_url, server.api_key, server.model, server.timeout)


def entailment() -> Entailment | None:
    """The installed model that reads claims after the check by code; None if none is chosen."""
    chosen = endpoint(None, ModelRole.ENTAILMENT)
    if chosen is None:
        return None
    from providers.local_models.cross_encoder import LocalEntailment

    model = store.find(LocalRole.ENTAILMENT, chosen.model)
    return LocalEntailment(model) if model else AbsentEntailment(chosen.model)
