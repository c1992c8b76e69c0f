"""What an agent may call. Docstring and typed arguments are the model's manual; the result is Evidence."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from providers.base import Embedder, ToolSpec
from retrieval import search
from retrieval.evidence import Evidence, Scope


class SearchChunks(BaseModel):
    """Find the passages nearest in meaning to a query. Best for questions in your own words."""

    query: str = Field(
        min_length=1, max_length=1000, description="A full sentence works better than keywords."
    )
    limit: int = Field(default=search.LIMIT, ge=1, le=search.MAX_LIMIT, description="How many passages.")


class SearchLiteral(BaseModel):
    """Find passages that hold these very words, forgiving small misspellings. Best for names, codes, numbers,
    clause references and defined terms."""

    words: str = Field(min_length=2, max_length=200, description="The words as they would stand on the page.")
    limit: int = Field(default=search.LIMIT, ge=1, le=search.MAX_LIMIT, description="How many passages.")


def search_chunks(scope: Scope, embedder: Embedder, arguments: SearchChunks) -> list[Evidence]:
    return search.by_meaning(scope, embedder.embed([arguments.query])[0], arguments.limit)


def search_literal(scope: Scope, embedder: Embedder, arguments: SearchLiteral) -> list[Evidence]:
    return search.by_words(scope, arguments.words, arguments.limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    name: str
    arguments: type[BaseModel]
    run: Callable[[Scope, Embedder, Any], list[Evidence]]

    @property
    def spec(self) -> ToolSpec:
        """The tool as a model sees it."""
        schema = self.arguments.model_json_schema()
        schema.pop("title", None)
        description = " ".join(str(schema.pop("description", "")).split())
        return ToolSpec(name=self.name, description=description, parameters=schema)


TOOLS = (
    Tool(name="search_chunks", arguments=SearchChunks, run=search_chunks),
    Tool(name="search_literal", arguments=SearchLiteral, run=search_literal),
)
