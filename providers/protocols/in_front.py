"""Base classes for models that wrap another: they have its name, and delegate what they do not change."""

from collections.abc import Sequence
from typing import Generic, Self, TypeVar

from providers.protocols.chat import ChatModel
from providers.protocols.dialect import Dialect
from providers.protocols.embedding import Embedder, Vectors
from providers.protocols.structured import StructuredModel

AnyChat = TypeVar("AnyChat", bound=ChatModel, covariant=True)
AnyEmbedder = TypeVar("AnyEmbedder", bound=Embedder, covariant=True)


class ChatInFront(Generic[AnyChat]):
    """A subclass adds `stream`."""

    def __init__(self, model: AnyChat) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def quotes_only(self) -> bool:
        return self._model.quotes_only

    @property
    def plans_here(self) -> bool:
        return self._model.plans_here

    @property
    def dialect(self) -> Dialect:
        return self._model.dialect


class StructuredInFront:
    """A subclass adds `complete`."""

    def __init__(self, model: StructuredModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def address(self) -> str:
        return self._model.address

    async def __aenter__(self) -> Self:
        await self._model.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._model.__aexit__(*error)


class EmbedderInFront(Generic[AnyEmbedder]):
    """A subclass adds `embed`."""

    def __init__(self, model: AnyEmbedder) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def dimensions(self) -> int:
        return self._model.dimensions

    @property
    def runs_here(self) -> bool:
        return self._model.runs_here

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self._model.embed_questions(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._model.count_tokens(texts)
