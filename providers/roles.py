"""The models that the settings name: one embedder and one chat model for the whole process."""

from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings

from providers.base import ChatModel, Embedder

if TYPE_CHECKING:
    from providers.minilm.embedder import MiniLM
    from providers.openai.structured import OpenAIStructured


@cache
def embedder() -> Embedder:
    """The server of SVQ_EMBEDDING_*, else MiniLM in this process."""
    if settings.EMBEDDING_BASE_URL:
        from providers.openai.client import OpenAIEmbedder

        return OpenAIEmbedder(
            base_url=settings.EMBEDDING_BASE_URL,
            api_key=settings.EMBEDDING_API_KEY,
            model=settings.EMBEDDING_MODEL,
            dimensions=settings.EMBEDDING_DIMENSIONS or None,
        )
    return local_embedder()


@cache
def local_embedder() -> "MiniLM":
    """MiniLM in this process. The keyless model reads with it even if documents are embedded elsewhere: its
    weights belong to it.
    """
    from providers.minilm.embedder import MiniLM

    return MiniLM(settings.MODELS_DIR)


def chat_model() -> ChatModel | None:
    """The server of SVQ_LLM_*; None without one."""
    if not settings.LLM_BASE_URL:
        return None
    from providers.openai.client import OpenAIChat

    return OpenAIChat(
        base_url=settings.LLM_BASE_URL,
        api_key=settings.LLM_API_KEY,
        model=settings.LLM_MODEL,
        timeout=settings.LLM_TIMEOUT,
    )


def structured_model() -> "OpenAIStructured | None":
    """The server of SVQ_LLM_* for answers that are JSON; None without one: nothing here can write JSON."""
    if not settings.LLM_BASE_URL:
        return None
    from providers.openai.structured import OpenAIStructured

    return OpenAIStructured(
        base_url=settings.LLM_BASE_URL,
        api_key=settings.LLM_API_KEY,
        model=settings.LLM_MODEL,
        timeout=settings.LLM_TIMEOUT,
    )
