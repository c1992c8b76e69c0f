"""What an agent may call. Docstring and typed arguments are the model's manual; the result is Evidence."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from providers.protocols import Embedder, ToolSpec
from retrieval.evidence import Evidence
from retrieval.legs import dense, fuzzy, graph, graph_expansion
from retrieval.query import LIMIT, MAX_LIMIT, Scope


class SearchChunks(BaseModel):
    """Find the passages nearest in meaning to a query. Best for questions in your own words."""

    query: str = Field(
        min_length=1, max_length=1000, description="A full sentence works better than keywords."
    )
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many passages.")


class SearchLiteral(BaseModel):
    """Find passages that hold these very words, forgiving small misspellings. Best for names, codes, numbers,
    clause references and defined terms."""

    words: str = Field(min_length=2, max_length=200, description="The words as they would stand on the page.")
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many passages.")


class QueryEntities(BaseModel):
    """Find things (people, organisations, places, terms) by name or description, with passages that speak of
    them. Best to learn who or what something is."""

    query: str = Field(min_length=1, max_length=500, description="A name, or what the thing is.")
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many things.")


class QueryRelations(BaseModel):
    """Find how two things are connected, with the passages that say so. Best for "what does A owe B"."""

    query: str = Field(min_length=1, max_length=500, description="Both things and what may connect them.")
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many relations.")


class QueryKnowledgeGraph(BaseModel):
    """Find passages for a question whose answer stands pages or documents apart from what it names: the graph
    is followed from the things named to what they are connected with."""

    question: str = Field(min_length=1, max_length=1000, description="The whole question.")
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many passages.")


def search_chunks(scope: Scope, embedder: Embedder, arguments: SearchChunks) -> list[Evidence]:
    return dense.search(scope, embedder.embed([arguments.query])[0], arguments.limit)


def search_literal(scope: Scope, embedder: Embedder, arguments: SearchLiteral) -> list[Evidence]:
    return fuzzy.search(scope, arguments.words, arguments.limit)


def query_entities(scope: Scope, embedder: Embedder, arguments: QueryEntities) -> list[Evidence]:
    found = graph.search_entities(scope, embedder.embed([arguments.query])[0], arguments.limit)
    return distinct([proof for one in found for proof in one.evidence])


def query_relations(scope: Scope, embedder: Embedder, arguments: QueryRelations) -> list[Evidence]:
    found = graph.search_relations(scope, embedder.embed([arguments.query])[0], arguments.limit)
    return distinct([proof for one in found for proof in one.evidence])


def query_knowledge_graph(scope: Scope, embedder: Embedder, arguments: QueryKnowledgeGraph) -> list[Evidence]:
    vector = embedder.embed([arguments.question])[0]
    return graph_expansion.search(scope, arguments.question, vector, arguments.limit)


def distinct(found: list[Evidence]) -> list[Evidence]:
    """Each passage once, where it came first."""
    return list({one.chunk_id: one for one in reversed(found)}.values())[::-1]


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
    Tool(name="query_entities", arguments=QueryEntities, run=query_entities),
    Tool(name="query_relations", arguments=QueryRelations, run=query_relations),
    Tool(name="query_knowledge_graph", arguments=QueryKnowledgeGraph, run=query_knowledge_graph),
)
