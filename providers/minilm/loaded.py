"""The models that come with SVQ, loaded once in a process."""

from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from providers.minilm.embedder import MiniLM
    from providers.minilm.reader import MiniLMReader

LOCAL_EMBEDDER = "all-MiniLM-L6-v2"  # told without loading it


@cache
def local_embedder() -> "MiniLM":
    """MiniLM in this process. Extractive answers use it even if documents are embedded by another model:
    their weights were fitted to it.
    """
    from providers.minilm.embedder import MiniLM

    return MiniLM(settings.MODELS_DIR)


@cache
def local_reader() -> "MiniLMReader":
    """The model that says whether sentences answer a question."""
    from providers.minilm.reader import MiniLMReader

    return MiniLMReader(settings.MODELS_DIR)
