"""Which models a datasource works with, and whether its text leaves this network for them."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

from datasources.models import Datasource, GraphExtractor


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


def models_in_use(datasource: Datasource) -> list[ModelInUse]:
    """The language model for answers and, where it reads for it, for the graph; then the embedding model."""
    reads_for_graph = datasource.graph_extractor == GraphExtractor.MODEL
    return [
        ModelInUse(
            job="Answers",
            does="Plans, searches and writes",
            name=settings.LLM_MODEL if settings.LLM_BASE_URL else "",
            host=host_of(settings.LLM_BASE_URL),
            instead="None: quotes only",
        ),
        ModelInUse(
            job="Graph",
            does="Finds things and how they are connected",
            name=settings.LLM_MODEL if reads_for_graph and settings.LLM_BASE_URL else "",
            host=host_of(settings.LLM_BASE_URL) if reads_for_graph else "",
            instead="None: rules",
        ),
        ModelInUse(
            job="Embeddings",
            does="Finds passages by meaning; fixed by the first document",
            name=datasource.embedding_model or settings.EMBEDDING_MODEL or "all-MiniLM-L6-v2",
            host=host_of(settings.EMBEDDING_BASE_URL),
        ),
    ]


def everything_is_local() -> bool:
    """Whether no text leaves this network, whatever the datasource."""
    return all(is_local(host_of(url)) for url in (settings.LLM_BASE_URL, settings.EMBEDDING_BASE_URL) if url)


def host_of(url: str) -> str:
    return urlsplit(url).hostname or "" if url else ""


def is_local(host: str) -> bool:
    """This machine or a private network, told by the name or number alone."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".internal", ".localhost"))
    return address.is_private or address.is_loopback
