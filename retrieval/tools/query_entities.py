"""Search for the entities of the graph, with the passages that name them."""

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
    """Find things (people, organisations, places, terms) by name or description, with passages that speak of
    them. Best to learn who or what something is."""

    query: str = Field(min_length=1, max_length=500, description="A name, or what the thing is.")
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many things.")


def run(scope: Scope, embedder: Embedder, arguments: Arguments) -> list[Evidence]:
    entities = graph.search_entities(scope, embedder.embed_questions([arguments.query])[0], arguments.limit)
    told = [
        replace(passage, facts=(Fact(entity=entity.name, said=_said(entity)),))
        for entity in entities
        for passage in entity.evidence
    ]
    return with_tables(distinct(told))


def _said(entity: graph.EntityFound) -> str:
    return ". ".join(filter(None, [", ".join(entity.types), entity.description]))


QUERY_ENTITIES = Tool(
    name="query_entities", label=gettext_noop("Entities"), icon="tag", arguments=Arguments, run=run
)
