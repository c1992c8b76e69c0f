"""Stand-ins for models that are known by name but no longer available: each says so when it is used."""

from collections.abc import Sequence

from django.utils.translation import gettext_noop

from localization.stored import said
from providers.openai.tokens import estimated_tokens
from providers.protocols import ProviderError, Vectors
from providers.protocols.embedding import AlikeEmbedder
from providers.protocols.entailment import Opinion

NO_SERVER = gettext_noop(
    "The documents were embedded with {model}, and no embedding server is configured for it. "
    "Set SVQ_EMBEDDING_PREVIOUS_BASE_URL to its server, or change to the model that is set now."
)
NOT_HERE = gettext_noop(
    "{identity} is not in the data folder of this server. Install it again, or choose another model under "
    "Settings, Models."
)


class AbsentEmbedder(AlikeEmbedder):
    """Known by name, and by dimensions where it has made vectors."""

    def __init__(self, name: str, dimensions: int | None, why: str) -> None:
        self.name, self._dimensions, self._why = name, dimensions, why

    @property
    def dimensions(self) -> int:
        """Raises ProviderError where they are not known."""
        if self._dimensions is None:
            raise ProviderError(self._why)
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Raises ProviderError."""
        raise ProviderError(self._why)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """An estimate."""
        return [estimated_tokens(text) for text in texts]


class AbsentReranker:
    """An installed reranker whose files are gone."""

    def __init__(self, name: str) -> None:
        self.name = name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Raises ProviderError."""
        raise ProviderError(said(NOT_HERE, identity=self.name))


class AbsentEntailment:
    """An installed model of entailment whose files are gone."""

    def __init__(self, name: str) -> None:
        self.name = name

    def opinion(self, quote: str, claim: str) -> Opinion:
        """Raises ProviderError."""
        raise ProviderError(said(NOT_HERE, identity=self.name))
