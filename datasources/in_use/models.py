"""Which models a datasource works with, and whether its text leaves this network for them."""

import ipaddress
from dataclasses import dataclass

from django.utils.translation import gettext as _

from datasources.models import Datasource, ScanReader
from providers.connections.models import Connection
from providers.embedders import server_of_vectors
from providers.language_models import over_budget
from providers.minilm.loaded import LOCAL_EMBEDDER
from providers.roles import Endpoint, ModelRole, choices_of, endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInUse:
    """`name` is empty when no model is set, `instead` then says so; `server` is None for what runs in SVQ,
    and where `is_absent`: no server has the model any more.
    """

    role: ModelRole
    job: str
    does: str
    name: str
    server: Endpoint | None
    instead: str = ""
    is_absent: bool = False

    @property
    def host(self) -> str:
        """Empty for what runs in SVQ or is installed here."""
        return host_of(self.server)

    @property
    def is_local(self) -> bool:
        return not self.host or is_local(self.host)


def agent_in_use(datasource: Datasource) -> ModelInUse:
    """The language model for answers; a server that has only one may be set without its name."""
    agent = endpoint(datasource, ModelRole.AGENT)
    return ModelInUse(
        role=ModelRole.AGENT,
        job=_("Answers"),
        does=_("Plans, searches and writes"),
        name=agent.model or agent.host if agent else "",
        server=agent,
        instead=_("None: quotes only"),
    )


def writer_of(datasource: Datasource) -> ModelInUse | None:
    """The language model that answers now; None without one, and while a month's budget is used up."""
    writer = agent_in_use(datasource)
    return writer if writer.name and over_budget(datasource) is None else None


def embeddings_in_use(datasource: Datasource) -> ModelInUse:
    """The model of the vectors that are searched; a new datasource gets the one that is set."""
    configured = endpoint(datasource, ModelRole.EMBEDDINGS)
    name = datasource.embedding_model or (configured.model if configured else LOCAL_EMBEDDER)
    server = server_of_vectors(name, datasource.embedding_dimensions)
    return ModelInUse(
        role=ModelRole.EMBEDDINGS,
        job=_("Embeddings"),
        does=_("Finds passages by meaning"),
        name=name,
        server=server,
        is_absent=server is None and name != LOCAL_EMBEDDER,
    )


def scans_in_use(datasource: Datasource) -> ModelInUse:
    """What reads its scans, where that is a server."""
    server = endpoint(datasource, ModelRole.OCR)
    return ModelInUse(
        role=ModelRole.OCR,
        job=_("Text recognition"),
        does=_("Reads scans"),
        name=server.model if server else "",
        server=server,
        instead=_("None: scans are not read"),
    )


def reads_scans_elsewhere(datasource: Datasource) -> bool:
    return datasource.scan_reader == ScanReader.SERVER


def everything_is_local(datasource: Datasource | None = None) -> bool:
    """Whether no text of the datasource leaves this network, whatever model people choose; without one,
    whatever the datasource.
    """
    roles = (
        {*ModelRole}
        if datasource is None or reads_scans_elsewhere(datasource)
        else {*ModelRole} - {ModelRole.OCR}
    )
    hosts = {host_of(endpoint(datasource, role)) for role in roles}
    connected = choices_of(datasource) if datasource else Connection.objects.all()
    return all(map(is_local, filter(None, hosts | {each.host for each in connected})))


def host_of(server: Endpoint | None) -> str:
    """Empty for what runs in SVQ."""
    return server.host if server else ""


def is_local(host: str) -> bool:
    """This machine or a private network, told by the name or number alone."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".internal", ".localhost"))
    return address.is_private or address.is_loopback
