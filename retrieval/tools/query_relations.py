"""Search for the relations of the graph, with the passages that state them."""

from dataclasses import replace

from django.utils.translation import gettext_noop
from pydantic import BaseModel, Field

from providers.protocols import Embedder
from retrieval.evidence import Evidence, Fact
from retrieval.legs import graph
from retrieval.query import LIMIT, MAX_LIMIT, Scope
from retrieval.tables import with_tables
from retrieval.tools.tool import Tool, distinct


class Arguments(BaseModel):
    """Find how two things are connected, with the passages that say so. Best for "what does A owe B"."""

    query: str = Field(min_length=1, max_length=500, description="Both things and what may connect them.")
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many relations.")


def run(scope: Scope, embedder: Embedder, arguments: Arguments) -> list[Evidence]:
    relations = graph.search_relations(scope, embedder.embed_questions([arguments.query])[0], arguments.limit)
    told = [
        replace(
            passage, facts=(Fact(entity=f"{relation.source} - {relation.target}", said=relation.description),)
        )
        for relation in relations
        for passage in relation.evidence
    ]
    return with_tables(distinct(told))


QUERY_RELATIONS = Tool(
    name="query_relations", label=gettext_noop("Relations"), icon="link", arguments=Arguments, run=run
)
