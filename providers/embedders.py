"""Chooses the embedder: of a datasource, of new datasources, or by the name of a model."""

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Protocol

from django.conf import settings

from localization.stored import said
from providers.absent import NO_SERVER, NOT_HERE, AbsentEmbedder
from providers.charging import meter_of, owner_of
from providers.local_models import store
from providers.local_models.roles import LocalRole, is_identity
from providers.minilm.loaded import LOCAL_EMBEDDER, local_embedder
from providers.protocols import Embedder
from providers.roles import EMBEDDING_TIMEOUT, Endpoint, ModelRole, endpoint
from providers.spending.metering import MeteredEmbedder, Payer

if TYPE_CHECKING:
    from providers.openai.embedder import OpenAIEmbedder


class Embedded(Protocol):
    """A datasource, as far as its vectors go: by which model they are, empty before the first."""

    embedding_model: str
    embedding_dimensions: int | None


def embedder(datasource: Embedded | None = None, payer: Payer | None = None) -> Embedder:
    """The model of the datasource's vectors, whatever is configured now; for a new one the configured model.

    Its calls are charged to the payer, else to the datasource's owner.
    """
    if datasource is None:
        return configured_embedder()
    payer = payer or owner_of(datasource)
    if not datasource.embedding_model:
        return configured_embedder(payer)
    return embedder_named(datasource.embedding_model, datasource.embedding_dimensions, payer)


def configured_embedder(payer: Payer | None = None) -> Embedder:
    """The server or installed model of the embeddings role, else MiniLM in this process."""
    server = endpoint(None, ModelRole.EMBEDDINGS)
    return embedder_at(server, payer or Payer()) if server else local_embedder()


def embedder_named(model: str, dimensions: int | None, payer: Payer) -> Embedder:
    """The model that made existing vectors; its calls are charged to the payer."""
    if model == LOCAL_EMBEDDER:
        return local_embedder()
    if is_identity(model):
        return installed_embedder(model, dimensions)
    server = server_of_vectors(model, dimensions)
    if server is None:
        return AbsentEmbedder(model, dimensions or 0, said(NO_SERVER, model=model))
    return embedder_at(server, payer)


def embedder_at(server: Endpoint, payer: Payer) -> Embedder:
    """A server of vectors, or an installed model, which costs nothing."""
    if server.is_installed:
        return installed_embedder(server.model)
    return MeteredEmbedder(_server_embedder(server), meter_of(server, payer))


def server_of_vectors(model: str, dimensions: int | None) -> Endpoint | None:
    """The server that makes vectors with the model; None for models that run in SVQ, and if none is known.

    A model that is not configured any more is asked of the server that was before, where one is named, else
    of the present one by its name.
    """
    if model == LOCAL_EMBEDDER:
        return None
    if is_identity(model):
        return Endpoint(base_url="", api_key="", model=model, timeout=EMBEDDING_TIMEOUT)
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
    """An installed model; a missing one raises when it is used."""
    model = store.find(LocalRole.EMBEDDINGS, identity)
    if model is None:
        return AbsentEmbedder(identity, dimensions, said(NOT_HERE, identity=identity))
    from providers.local_models.embedder import LocalEmbedder

    return LocalEmbedder(model)


@cache
def _server_embedder(server: Endpoint) -> "OpenAIEmbedder":
    from providers.openai.embedder import OpenAIEmbedder

    return OpenAIEmbedder(
        server.base_url, server.api_key, server.model, server.dimensions, timeout=server.timeout
    )
