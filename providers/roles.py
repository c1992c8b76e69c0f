"""Which model plays which role for a datasource: the one place that knows where models are configured."""

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings

from providers.spending.prices import Prices

if TYPE_CHECKING:
    from providers.connections.models import Connection

EMBEDDING_TIMEOUT = 60.0  # seconds
RERANK_TIMEOUT = 20.0  # seconds; then the passages stand as the searches left them
OCR_TIMEOUT = 120.0  # seconds for a page


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


# The role whose connection is used for a role that has none of its own.
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
    def host(self) -> str:
        """Empty for what is installed here."""
        return urlsplit(self.base_url).hostname or ""

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
    from providers.connections.services import connected  # the apps may not be loaded yet

    connection = None
    if chosen is not None:
        connection = next((each for each in choices_of(datasource) if each.pk == chosen), None)
    roles = (role, STAND_INS[role]) if role in STAND_INS else (role,)
    connection = connection or connected(*roles, datasource=number_of(datasource))
    return endpoint_of(connection, role) if connection else None


def endpoint_of(connection: "Connection", role: ModelRole) -> Endpoint:
    """The server of a connection, as the role calls it."""
    from providers.connections.services import is_public_only, key_of  # the apps may not be loaded yet

    return Endpoint(
        base_url=connection.address,
        api_key=key_of(connection) or "",
        model=connection.model,
        timeout=_TIMEOUTS.get(role, connection.timeout),
        price_input=connection.price_input,
        price_output=connection.price_output,
        public_only=is_public_only(connection),
    )


# Roles with a timeout of their own; for the others that of the connection applies.
_TIMEOUTS = {
    ModelRole.RERANK: RERANK_TIMEOUT,
    ModelRole.OCR: OCR_TIMEOUT,
    ModelRole.EMBEDDINGS: EMBEDDING_TIMEOUT,
    ModelRole.EMBEDDINGS_BEFORE: EMBEDDING_TIMEOUT,
}
