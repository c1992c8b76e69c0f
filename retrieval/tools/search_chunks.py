"""Search by meaning."""

from pydantic import BaseModel, Field

from providers.protocols import Embedder
from retrieval.evidence import Evidence
from retrieval.legs import dense
from retrieval.query import LIMIT, MAX_LIMIT, Scope
from retrieval.table_heads import with_table_heads
from retrieval.tools.tool import Tool


class Arguments(BaseModel):
    """Find the passages nearest in meaning to a query. Best for questions in your own words."""

    query: str = Field(
        min_length=1, max_length=1000, description="A full sentence works better than keywords."
    )
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many passages.")


def run(scope: Scope, embedder: Embedder, arguments: Arguments) -> list[Evidence]:
    return with_table_heads(dense.search(scope, embedder.embed([arguments.query])[0], arguments.limit))


SEARCH_CHUNKS = Tool(name="search_chunks", label="Search", icon="search", arguments=Arguments, run=run)
