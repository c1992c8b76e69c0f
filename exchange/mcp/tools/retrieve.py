"""The passages for a question, from the engine that answers search too."""

from pydantic import Field

from accounts.models import TokenScope, User
from exchange.mcp import outputs, passages
from exchange.mcp.hints import HINTS
from exchange.mcp.threads import search
from exchange.mcp.tool import Arguments, Documents, Progress, Tool, ToolResult
from retrieval.api.documents import scopes_of
from retrieval.engine import Query
from retrieval.engine.several import retrieve_from
from retrieval.query import LIMIT, MAX_LIMIT
from retrieval.slots import SEARCHES
from text.counted import counted


class Retrieve(Arguments):
    """Find the passages of the documents that answer a question, the best first, each with its document,
    page, and a link to cite it by. They are the documents' own words."""

    query: str = Field(min_length=1, max_length=4000, description="A full question works best.")
    datasource: int | None = Field(default=None, ge=1, description="Search this datasource alone.")
    documents: Documents | None = Field(default=None, description="Search these documents alone.")
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many passages at most.")


async def run(person: User, arguments: Retrieve, progress: Progress) -> ToolResult:
    return await search(person, found, arguments)


def found(person: User, arguments: Retrieve) -> ToolResult:
    query = Query(text=arguments.query.replace("\0", ""), k=arguments.limit)
    with SEARCHES.taken_by(person.pk):
        scopes = scopes_of(person, arguments.documents, arguments.datasource, HINTS)
        result = retrieve_from(query, scopes)
    count = len(result.evidence)
    heading = f"{counted(count, 'passage')}, the best first." if count else "Nothing was found."
    return passages.as_result(result.evidence, heading)


RETRIEVE = Tool(
    name="retrieve",
    title="Find passages",
    scope=TokenScope.READ,
    arguments=Retrieve,
    output=outputs.Passages,
    run=run,
)
