"""The files of the local models, which are made once from the weights that come with a package."""

from django.conf import settings

from providers.minilm import embedder, reader
from providers.roles import ModelRole, of_environment


def prepare() -> None:
    """Make those that are missing (some seconds), unless a server embeds. Raises ProviderError."""
    if of_environment(ModelRole.EMBEDDINGS) is None:
        embedder.prepare(settings.MODELS_DIR)
        reader.prepare(settings.MODELS_DIR)
