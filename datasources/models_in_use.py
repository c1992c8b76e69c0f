"""Which models a datasource works with, and whether its text leaves this network for them."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from datasources.models import Datasource, ScanReader
from providers.connections.models import Connection
from providers.language_models import over_budget
from providers.minilm.loaded import LOCAL_EMBEDDER
from providers.roles import Endpoint, ModelRole, choices_of, endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInUse:
    """`name` is empty when no model is set, `instead` then says so; `host` is empty for what runs in SVQ."""

    job: str
    does: str
    name: str
    host: str
    instead: str = ""

    @property
    def is_local(self) -> bool:
        return not self.host or is_local(self.host)


def agent_in_use(datasource: Datasource) -> ModelInUse:
    """The language model for answers; a server that has only one may be set without its name."""
    agent = endpoint(datasource, ModelRole.AGENT)
    return ModelInUse(
        job="Answers",
        does="Plans, searches and writes",
        name=agent.model or host_of(agent) if agent else "",
        host=host_of(agent),
        instead="None: quotes only",
    )


def writer_of(datasource: Datasource) -> ModelInUse | None:
    """The language model that answers now; None without one, and while a month's budget is used up."""
    writer = agent_in_use(datasource)
    return writer if writer.name and over_budget(datasource) is None else None


def embeddings_in_use(datasource: Datasource) -> ModelInUse:
    """The model of the vectors that are searched; a new datasource gets the one that is set."""
    embeddings = endpoint(datasource, ModelRole.EMBEDDINGS)
    name = datasource.embedding_model or (embeddings.model if embeddings else LOCAL_EMBEDDER)
    host = "" if name == LOCAL_EMBEDDER else host_of(embeddings)
    return ModelInUse(job="Embeddings", does="Finds passages by meaning", name=name, host=host)


def scans_in_use(datasource: Datasource) -> ModelInUse:
    """What reads its scans, where that is a server."""
    server = endpoint(datasource, ModelRole.OCR)
    return ModelInUse(
        job="Text recognition",
        does="Reads scans",
        name=server.model if server else "",
        host=host_of(server),
        instead="None: scans are not read",
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
    return urlsplit(server.base_url).hostname or "" if server else ""


def is_local(host: str) -> bool:
    """This machine or a private network, told by the name or number alone."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".internal", ".localhost"))
    return address.is_private or address.is_loopback
