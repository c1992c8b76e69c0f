"""Search in several steps along the graph."""

from django.utils.translation import gettext_noop
from pydantic import BaseModel, Field

from providers.protocols import Embedder
from retrieval.engine import HYBRID, Leg, Query, retrieve
from retrieval.evidence import Evidence
from retrieval.query import LIMIT, MAX_LIMIT, Scope
from retrieval.tables import with_tables
from retrieval.tools.tool import Tool


class Arguments(BaseModel):
    """Find passages for a question whose answer stands pages or documents apart from what it names: the graph
    is followed from the things named to what they are connected with."""

    question: str = Field(min_length=1, max_length=1000, description="The whole question.")
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many passages.")


def run(scope: Scope, embedder: Embedder, arguments: Arguments) -> list[Evidence]:
    query = Query(text=arguments.question, k=arguments.limit, legs=HYBRID | {Leg.GRAPH})
    return with_tables(retrieve(query, scope, embedder).evidence)


QUERY_KNOWLEDGE_GRAPH = Tool(
    name="query_knowledge_graph", label=gettext_noop("Graph"), icon="waypoints", arguments=Arguments, run=run
)
