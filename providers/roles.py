"""Which model plays which role for a datasource: the one place that knows where models are configured."""

from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from django.conf import settings

from providers.absent import NO_SERVER, NOT_HERE, AbsentEmbedder, AbsentEntailment, AbsentReranker
from providers.local_models import store
from providers.local_models.roles import LocalRole, is_identity
from providers.protocols import ChatModel, Embedder, Entailment, Reranker, StructuredModel, TextRecogniser
from providers.spending.prices import Prices

if TYPE_CHECKING:
    from providers.connections.models import Connection
    from providers.minilm.embedder import MiniLM
    from providers.minilm.reader import MiniLMReader
    from providers.ocr_server import OcrServer
    from providers.openai.embedder import OpenAIEmbedder
    from providers.openai.reranker import ServerReranker
    from providers.spending.metering import Meter, Payer

EMBEDDING_TIMEOUT = 60.0  # seconds
RERANK_TIMEOUT = 20.0  # seconds; then the passages stand as the searches left them
OCR_TIMEOUT = 120.0  # seconds for a page
LOCAL_EMBEDDER = "all-MiniLM-L6-v2"  # told without loading it


class ModelRole(StrEnum):
    """What a model is needed for."""

    AGENT = "agent"  # plans, searches and writes answers
    EXTRACTION = "extraction"  # reads chunks for the graph
    JUDGE = "judge"  # decides whether two names mean one thing
    RERANK = "rerank"
    EMBEDDINGS = "embeddings"
    EMBEDDINGS_BEFORE = "embeddings before"  # the last model, while vectors by it are searched
    ENTAILMENT = "entailment"  # reads a quote and a claim; an installed model alone plays it
    OCR = "ocr"  # reads pages that are pictures, by a protocol of its own


# Whose connection plays a role that has none of its own.
STAND_INS = {ModelRole.EXTRACTION: ModelRole.AGENT, ModelRole.JUDGE: ModelRole.AGENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model of a server that speaks the OpenAI protocol, or one that is installed here: without an address.

    `timeout` is in seconds; prices are per million tokens, 0 where unknown. `public_only`: it was named by an
    owner who may name no address of a private network.
    """

    base_url: str
    api_key: str = field(repr=False)
    model: str
    timeout: float
    dimensions: int | None = None  # of an embedder's vectors; None: as the server answers
    price_input: Decimal = Decimal(0)
    price_output: Decimal = Decimal(0)
    public_only: bool = False

    @property
    def prices(self) -> Prices:
        return Prices(sent=self.price_input, written=self.price_output)

    @property
    def is_installed(self) -> bool:
        return not self.base_url


def endpoint(datasource: object | None, role: ModelRole, *, chosen: int | None = None) -> Endpoint | None:
    """The model server that plays the role for a datasource, or for none in particular.

    None where no server does: then the role is played by this process, or by nobody. What the environment
    names wins over what was connected in the browser: there the owner's choice for the datasource wins over
    the deployment's, and `chosen`, the number of a connection that people may choose, over both.
    """
    return of_environment(role) or _connected(datasource, role, chosen)


def name_of(role: ModelRole) -> str:
    """Of the model that plays the role for all datasources; "" where none does."""
    server = endpoint(None, role)
    return server.model if server else ""


def of_environment(role: ModelRole) -> Endpoint | None:
    """The server that the environment names for the role."""
    match role:
        case ModelRole.RERANK if settings.RERANK_BASE_URL:
            return Endpoint(
                base_url=settings.RERANK_BASE_URL,
                api_key=settings.RERANK_API_KEY,
                model=settings.RERANK_MODEL,
                timeout=RERANK_TIMEOUT,
            )
        case ModelRole.OCR if settings.OCR_BASE_URL:
            return Endpoint(
                base_url=settings.OCR_BASE_URL,
                api_key=settings.OCR_API_KEY,
                model=settings.OCR_MODEL,
                timeout=OCR_TIMEOUT,
            )
        case ModelRole.EMBEDDINGS if settings.EMBEDDING_BASE_URL:
            return Endpoint(
                base_url=settings.EMBEDDING_BASE_URL,
                api_key=settings.EMBEDDING_API_KEY,
                model=settings.EMBEDDING_MODEL,
                timeout=EMBEDDING_TIMEOUT,
                dimensions=settings.EMBEDDING_DIMENSIONS or None,
            )
        case ModelRole.AGENT | ModelRole.EXTRACTION | ModelRole.JUDGE if settings.LLM_BASE_URL:
            return Endpoint(
                base_url=settings.LLM_BASE_URL,
                api_key=settings.LLM_API_KEY,
                model=settings.LLM_MODEL,
                timeout=settings.LLM_TIMEOUT,
                price_input=settings.LLM_PRICE_INPUT,
                price_output=settings.LLM_PRICE_OUTPUT,
            )
    return None


def choices_of(datasource: object) -> "list[Connection]":
    """The models that people may choose for a question there; none where the environment names the model, and
    none where the owner has chosen one: then text goes nowhere else.
    """
    from providers.connections.services import chosen_for, offered  # the apps may not be loaded yet

    if of_environment(ModelRole.AGENT) or ModelRole.AGENT in chosen_for(number_of(datasource)):
        return []
    return list(offered())


def number_of(datasource: object | None) -> int:
    """Of the datasource; 0 for none in particular."""
    return datasource if isinstance(datasource, int) else getattr(datasource, "pk", 0)


def _connected(datasource: object | None, role: ModelRole, chosen: int | None) -> Endpoint | None:
    from providers.connections.services import (  # the apps may not be loaded yet
        connected,
        is_public_only,
        key_of,
    )

    connection = None
    if chosen is not None:
        connection = next((each for each in choices_of(datasource) if each.pk == chosen), None)
    roles = (role, STAND_INS[role]) if role in STAND_INS else (role,)
    connection = connection or connected(*roles, datasource=number_of(datasource))
    if connection is None:
        return None
    return Endpoint(
        base_url=connection.address,
        api_key=key_of(connection) or "",
        model=connection.model,
        timeout=_TIMEOUTS.get(role, connection.timeout),
        price_input=connection.price_input,
        price_output=connection.price_output,
        public_only=is_public_only(connection),
    )


# The roles whose patience is not that of who reads a growing answer.
_TIMEOUTS = {
    ModelRole.RERANK: RERANK_TIMEOUT,
    ModelRole.OCR: OCR_TIMEOUT,
    ModelRole.EMBEDDINGS: EMBEDDING_TIMEOUT,
    ModelRole.EMBEDDINGS_BEFORE: EMBEDDING_TIMEOUT,
}


class Embedded(Protocol):
    """A datasource, as far as its vectors go: by which model they are, empty before the first."""

    embedding_model: str
    embedding_dimensions: int | None


def embedder(datasource: Embedded | None = None, payer: "Payer | None" = None) -> Embedder:
    """The model of the datasource's vectors, whatever is configured by now; for a new one the configured.

    Its calls are charged to the payer, else to the datasource's owner.
    """
    if datasource is None:
        return configured_embedder()
    payer = payer or owner_of(datasource)
    if not datasource.embedding_model:
        return configured_embedder(payer)
    return embedder_named(datasource.embedding_model, datasource.embedding_dimensions, payer)


def configured_embedder(payer: "Payer | None" = None) -> Embedder:
    """The server or installed model of the embeddings role, else MiniLM in this process."""
    from providers.spending.metering import Payer

    server = endpoint(None, ModelRole.EMBEDDINGS)
    return embedder_at(server, payer or Payer()) if server else local_embedder()


def embedder_named(model: str, dimensions: int | None, payer: "Payer") -> Embedder:
    """A model that vectors are by; its calls are charged to the payer."""
    if model == LOCAL_EMBEDDER:
        return local_embedder()
    if is_identity(model):
        return installed_embedder(model, dimensions)
    server = _server_of_vectors(model, dimensions)
    if server is None:
        return AbsentEmbedder(model, dimensions or 0, NO_SERVER.format(model=model))
    return embedder_at(server, payer)


def embedder_at(server: Endpoint, payer: "Payer") -> Embedder:
    """A server of vectors, or an installed model, which costs nothing."""
    if server.is_installed:
        return installed_embedder(server.model)
    from providers.spending.metering import MeteredEmbedder

    return MeteredEmbedder(_server_embedder(server), _meter(server, payer))


def _server_of_vectors(model: str, dimensions: int | None) -> Endpoint | None:
    """The server that makes vectors by the model. One that is not configured any more is asked of the server
    that was before, where one is named, else of the present one by its name.
    """
    server = endpoint(None, ModelRole.EMBEDDINGS)
    if server and server.model == model and server.dimensions in (None, dimensions):
        return server
    before = endpoint(None, ModelRole.EMBEDDINGS_BEFORE)
    if before and before.model == model:
        return replace(before, dimensions=dimensions)
    if settings.EMBEDDING_PREVIOUS_BASE_URL:
        server = Endpoint(
            base_url=settings.EMBEDDING_PREVIOUS_BASE_URL,
            api_key=settings.EMBEDDING_PREVIOUS_API_KEY,
            model=model,
            timeout=EMBEDDING_TIMEOUT,
            dimensions=dimensions,
        )
    is_server = server and not server.is_installed
    return replace(server, model=model, dimensions=dimensions) if server and is_server else None


def installed_embedder(identity: str, dimensions: int | None = None) -> Embedder:
    """An installed model; one that is not here says so when it is asked."""
    model = store.find(LocalRole.EMBEDDINGS, identity)
    if model is None:
        return AbsentEmbedder(identity, dimensions, NOT_HERE.format(identity=identity))
    from providers.local_models.embedder import LocalEmbedder

    return LocalEmbedder(model)


@cache
def _server_embedder(server: Endpoint) -> "OpenAIEmbedder":
    from providers.openai.embedder import OpenAIEmbedder

    return OpenAIEmbedder(
        server.base_url, server.api_key, server.model, server.dimensions, timeout=server.timeout
    )


@cache
def local_embedder() -> "MiniLM":
    """MiniLM in this process. The extractive answers read with it even if documents are embedded elsewhere:
    their weights belong to it.
    """
    from providers.minilm.embedder import MiniLM

    return MiniLM(settings.MODELS_DIR)


@cache
def local_reader() -> "MiniLMReader":
    """Reads beside that embedder whether sentences are an answer."""
    from providers.minilm.reader import MiniLMReader

    return MiniLMReader(settings.MODELS_DIR)


def reranker(payer: "Payer") -> Reranker | None:
    """The server or installed model of the rerank role; None without one. Charged to the payer."""
    server = endpoint(None, ModelRole.RERANK)
    if server is None or not server.is_installed:
        return reranker_at(server, payer) if server else None
    from providers.local_models.cross_encoder import LocalReranker

    model = store.find(LocalRole.RERANK, server.model)
    return LocalReranker(model, RERANK_TIMEOUT) if model else AbsentReranker(server.model)


def reranker_at(server: Endpoint, payer: "Payer") -> Reranker:
    """A server that ranks."""
    from providers.spending.metering import MeteredReranker

    return MeteredReranker(_reranker_of(server), _meter(server, payer))


def entailment() -> Entailment | None:
    """The installed model that reads claims beside the check by code; None where none is chosen."""
    chosen = endpoint(None, ModelRole.ENTAILMENT)
    if chosen is None:
        return None
    from providers.local_models.cross_encoder import LocalEntailment

    model = store.find(LocalRole.ENTAILMENT, chosen.model)
    return LocalEntailment(model) if model else AbsentEntailment(chosen.model)


@cache
def _reranker_of(server: Endpoint) -> "ServerReranker":
    from providers.openai.reranker import ServerReranker

    return ServerReranker(server.base_url, server.api_key, server.model, server.timeout)


def text_recogniser(datasource: object) -> TextRecogniser | None:
    """The server that reads pages there; None without one. Charged to the datasource's owner."""
    server = endpoint(datasource, ModelRole.OCR)
    return recogniser_at(server, owner_of(datasource)) if server else None


def recogniser_at(server: Endpoint, payer: "Payer") -> TextRecogniser:
    """A server that reads pages."""
    from providers.spending.metering import MeteredRecogniser

    return MeteredRecogniser(_recogniser_of(server), _meter(server, payer))


@cache
def _recogniser_of(server: Endpoint) -> "OcrServer":
    from providers.ocr_server import OcrServer

    return OcrServer(
        server.base_url, server.api_key, server.model, server.timeout, public_only=server.public_only
    )


def playing(datasource: object | None, role: ModelRole, *, chosen: int | None = None) -> Endpoint | None:
    """The server of a role that writes, unless a month's budget for language models is used up."""
    server = endpoint(datasource, role, chosen=chosen)
    return None if server is None or over_budget(datasource) is not None else server


def over_budget(datasource: object | None) -> int | None:
    """The number of the datasource whose month's budget is used up, 0 for that of the deployment."""
    from providers.spending.budgets import used_up  # the apps may not be loaded yet

    return used_up(number_of(datasource))


def chat_model(
    datasource: object | None = None,
    payer: "Payer | None" = None,
    *,
    chosen: int | None = None,
    watched: bool = False,
) -> ChatModel | None:
    """The server of the agent role; None without one, and while the budget is used up.

    Its calls are charged to the payer, else to the datasource's owner. `watched`: the caller itself keeps
    within the month's budget.
    """
    find = endpoint if watched else playing
    server = find(datasource, ModelRole.AGENT, chosen=chosen)
    return None if server is None else chat_at(server, payer or owner_of(datasource))


def chat_at(server: Endpoint, payer: "Payer") -> ChatModel:
    """A server that writes."""
    from providers.openai.chat import OpenAIChat
    from providers.spending.metering import MeteredChat

    model = OpenAIChat(
        server.base_url, server.api_key, server.model, server.timeout, public_only=server.public_only
    )
    return MeteredChat(model, _meter(server, payer))


def structured_model(
    datasource: object | None,
    role: ModelRole,
    payer: "Payer | None" = None,
    *,
    chosen: int | None = None,
    watched: bool = False,
) -> StructuredModel | None:
    """The role's server for answers that are JSON; None as for `chat_model`: nothing in this process writes
    JSON. `watched`: as there.
    """
    find = endpoint if watched else playing
    server = find(datasource, role, chosen=chosen)
    return None if server is None else structured_at(server, payer or owner_of(datasource))


def structured_at(server: Endpoint, payer: "Payer") -> StructuredModel:
    """A server that writes JSON."""
    from providers.openai.structured import OpenAIStructured
    from providers.spending.metering import MeteredStructured

    model = OpenAIStructured(
        server.base_url, server.api_key, server.model, server.timeout, public_only=server.public_only
    )
    return MeteredStructured(model, _meter(server, payer))


def owner_of(datasource: object | None) -> "Payer":
    """Who pays for what nobody has asked for: reading, and what is made ready for questions."""
    from providers.spending.metering import Payer
    from providers.spending.models import Purpose

    return Payer(
        person=getattr(datasource, "owner_id", 0),
        datasource=number_of(datasource),
        purpose=Purpose.INDEXING,
    )


def _meter(server: Endpoint, payer: "Payer") -> "Meter":
    from providers.spending.metering import Meter

    return Meter(
        payer=payer,
        model=server.model,
        host=urlsplit(server.base_url).hostname or "",
        price_input=server.price_input,
        price_output=server.price_output,
    )
