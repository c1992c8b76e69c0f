"""The embedders of several datasources: each model is asked for a text only once, even if it fails."""

from collections.abc import Sequence

from providers.embedders import Embedded, embedder
from providers.protocols import Embedder, ProviderError
from providers.protocols.embedding import Vectors
from providers.protocols.in_front import EmbedderInFront
from providers.spending.metering import Payer


class AskedOnce(EmbedderInFront[Embedder]):
    """An embedder that remembers what it gave; for one request, not for longer."""

    def __init__(self, model: Embedder) -> None:
        super().__init__(model)
        self._given: dict[tuple[bool, tuple[str, ...]], Vectors | ProviderError] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As the model does. Raises ProviderError."""
        return self._once(texts, questions=False)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """As `embed`, kept apart because some models read questions in another way."""
        return self._once(texts, questions=True)

    def _once(self, texts: Sequence[str], *, questions: bool) -> Vectors:
        key = (questions, tuple(texts))
        if key not in self._given:
            ask = self._model.embed_questions if questions else self._model.embed
            try:
                self._given[key] = ask(texts)
            except ProviderError as error:
                self._given[key] = error
        given = self._given[key]
        if isinstance(given, ProviderError):
            raise given
        return given


class SharedEmbedders:
    """Made for one request, and charged to who makes it."""

    def __init__(self, payer: Payer) -> None:
        self._payer = payer
        self._by_model: dict[tuple[str, int | None], AskedOnce] = {}

    def of(self, datasource: Embedded) -> Embedder:
        """The model of the datasource's vectors."""
        key = datasource.embedding_model, datasource.embedding_dimensions
        if key not in self._by_model:
            self._by_model[key] = AskedOnce(embedder(datasource, self._payer))
        return self._by_model[key]
