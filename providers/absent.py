"""The place of an embedding model that no server has any more: says so when it is asked."""

from collections.abc import Sequence

from providers.openai.tokens import estimated_tokens
from providers.protocols import ProviderError, Vectors
from providers.protocols.embedding import AlikeEmbedder


class AbsentEmbedder(AlikeEmbedder):
    """Known by name and dimensions, from the vectors that it made."""

    def __init__(self, name: str, dimensions: int) -> None:
        self.name, self.dimensions = name, dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Raises ProviderError."""
        raise ProviderError(
            f"The documents were embedded with {self.name}, and no embedding server is set that may have it. "
            "Set SVQ_EMBEDDING_PREVIOUS_BASE_URL to its server, or change to the model that is set now."
        )

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """An estimate."""
        return [estimated_tokens(text) for text in texts]
