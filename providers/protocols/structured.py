"""The interface of models that answer with JSON of a given schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self

from providers.protocols.chat import Message, Usage


class StructuredModel(Protocol):
    """Used as `async with model:`, within one event loop. `address`: of its server."""

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str: ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_: object) -> None: ...

    async def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> tuple[str, Usage]:
        """The model's answer as it wrote it: JSON only if its server or itself sees to that.

        `schema` is a JSON schema in the strict subset: every property required, no others allowed.
        Raises ProviderError.
        """
        ...
