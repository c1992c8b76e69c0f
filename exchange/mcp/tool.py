"""What a tool for other people's agents is, and what a call of it gives."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from accounts.models import TokenScope, User
from exchange.mcp.outputs import Output
from retrieval.api.views import MAX_DOCUMENTS

Documents = Annotated[list[int], Field(max_length=MAX_DOCUMENTS)]  # their numbers, as many as over REST


class Arguments(BaseModel):
    """A misspelt argument is refused rather than left out in silence."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A resource that a result is from."""

    uri: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """A result in words, the same as data, and what it is from."""

    text: str
    data: dict[str, Any]
    links: tuple[Link, ...] = ()


Progress = Callable[[float, str], Awaitable[None]]  # seconds so far, what is going on


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """`arguments` is the agent's manual: its docstring says what the tool is for, its fields what to pass.

    `run` may raise `retrieval.api.refusals.Refusal`, Django's ValidationError, Http404, ProviderError and
    `chat.api.waiting.TokenEnded`: the agent is told.
    """

    name: str
    title: str
    scope: TokenScope
    arguments: type[Arguments]
    output: type[Output]
    run: Callable[[User, Any, Progress], Awaitable[ToolResult]]

    @property
    def description(self) -> str:
        return " ".join((self.arguments.__doc__ or "").split())

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        schema = self.arguments.model_json_schema()
        schema.pop("title", None)
        schema.pop("description", None)
        return schema
