"""What the knowledge graph says about a question: things and how they are connected, each with its proof."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from accounts.models import TokenScope, User
from datasources.models import Datasource
from exchange.mcp import outputs, passages
from exchange.mcp.hints import HINTS
from exchange.mcp.threads import search
from exchange.mcp.tool import Arguments, Documents, Progress, Tool, ToolResult
from providers.protocols import Embedder
from retrieval.api.documents import scopes_of
from retrieval.asker import asker_of
from retrieval.engine import Evidence
from retrieval.engine.embedders import SharedEmbedders
from retrieval.legs import graph
from retrieval.query import Scope
from retrieval.slots import SEARCHES


class QueryGraph(Arguments):
    """Ask the knowledge graph of the documents: the people, organisations, places and terms nearest to a
    query, and how they are connected, each with the passages that say so."""

    query: str = Field(min_length=1, max_length=1000, description="Names, or what may connect them.")
    datasource: int | None = Field(default=None, ge=1, description="Search this datasource alone.")
    documents: Documents | None = Field(default=None, description="Search these documents alone.")
    limit: int = Field(default=5, ge=1, le=15, description="How many things, and how many connections.")


async def run(person: User, arguments: QueryGraph, progress: Progress) -> ToolResult:
    return await search(person, found, arguments)


def found(person: User, arguments: QueryGraph) -> ToolResult:
    entities: list[graph.EntityFound] = []
    relations: list[graph.RelationFound] = []
    with SEARCHES.taken_by(person.pk):
        scopes = scopes_of(person, arguments.documents, arguments.datasource, HINTS)
        datasources = Datasource.objects.in_bulk([scope.datasource_id for scope in scopes])
        embedders = SharedEmbedders(asker_of(scopes))
        for scope in scopes:
            if datasource := datasources.get(scope.datasource_id):
                near, connected = nearest(scope, embedders.of(datasource), arguments)
                entities += near
                relations += connected
    entities = sorted(entities, key=lambda each: -each.score)[: arguments.limit]
    relations = sorted(relations, key=lambda each: -each.score)[: arguments.limit]
    shown = [each.evidence for each in entities] + [each.evidence for each in relations]
    proofs = distinct([passage for evidence in shown for passage in evidence])
    rows = passages.as_data(proofs)
    numbers = {row["chunk"]: row["n"] for row in rows}
    things = [
        {
            "entity": each.entity_id,
            "name": each.name,
            "types": list(each.types),
            "description": each.description,
            "score": each.score,
            "passages": cited(each.evidence, numbers),
        }
        for each in entities
    ]
    connections = [
        {
            "relation": each.relation_id,
            "source": each.source,
            "target": each.target,
            "description": each.description,
            "score": each.score,
            "passages": cited(each.evidence, numbers),
        }
        for each in relations
    ]
    text = "\n".join([*in_words(things, connections), "", *(f"{passages.in_words(row)}\n" for row in rows)])
    return ToolResult(
        text=text.strip(),
        data={"entities": things, "relations": connections, "passages": rows},
        links=passages.pages_of(rows),
    )


def nearest(
    scope: Scope, model: Embedder, arguments: QueryGraph
) -> tuple[list[graph.EntityFound], list[graph.RelationFound]]:
    vector = model.embed_questions([arguments.query.replace("\0", "")])[0]
    return (
        graph.search_entities(scope, vector, arguments.limit),
        graph.search_relations(scope, vector, arguments.limit),
    )


def distinct(proofs: Sequence[Evidence]) -> list[Evidence]:
    """Each passage once, where it came first."""
    return list({each.chunk_id: each for each in reversed(proofs)}.values())[::-1]


def cited(evidence: Sequence[Evidence], numbers: dict[int, int]) -> list[int]:
    """The numbers of its passages in the list below."""
    return sorted({numbers[each.chunk_id] for each in evidence if each.chunk_id in numbers})


def in_words(things: list[dict[str, Any]], connections: list[dict[str, Any]]) -> list[str]:
    if not (things or connections):
        return ["The graph has nothing near this."]
    lines = ["Things:"] if things else []
    lines += [
        f"- {each['name']} ({', '.join(each['types'])}) {each['description']} {marks(each)}".rstrip()
        for each in things
    ]
    lines += ["Connections:"] if connections else []
    lines += [
        f"- {each['source']} and {each['target']}: {each['description']} {marks(each)}".rstrip()
        for each in connections
    ]
    return lines


def marks(row: dict[str, Any]) -> str:
    return "".join(f"[{n}]" for n in row["passages"])


QUERY_GRAPH = Tool(
    name="query_graph",
    title="Query the graph",
    scope=TokenScope.READ,
    arguments=QueryGraph,
    output=outputs.Graph,
    run=run,
)
