"""Search by meaning, words and the document's name together."""

from django.utils.translation import gettext_noop
from pydantic import BaseModel, Field

from providers.protocols import Embedder
from retrieval.engine import Query, retrieve
from retrieval.engine.expansion import is_expanded
from retrieval.evidence import Evidence
from retrieval.query import LIMIT, MAX_LIMIT, Scope
from retrieval.tables import with_tables
from retrieval.tools.tool import Note, Tool

OTHERS = 3  # of the places beyond the usual ones, one in so many is for other documents


class Arguments(BaseModel):
    """Find the passages that answer a question or are about a matter. Best for questions in your own words;
    name the company, year or document that is meant."""

    query: str = Field(
        min_length=1, max_length=1000, description="A full sentence works better than keywords."
    )
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many passages.")


def run(scope: Scope, embedder: Embedder, arguments: Arguments) -> list[Evidence]:
    return with_note(scope, embedder, arguments)[0]


def with_note(scope: Scope, embedder: Embedder, arguments: Arguments) -> tuple[list[Evidence], Note]:
    others = max(0, arguments.limit - LIMIT) // OTHERS
    query = Query(text=arguments.query, k=arguments.limit, expand=is_expanded(scope), others=others)
    result = retrieve(query, scope, embedder)
    without = f"Without other wordings: {result.expand_failed}" if result.expand_failed else ""
    return with_tables(result.evidence), Note(without=without)


SEARCH_CHUNKS = Tool(
    name="search_chunks",
    label=gettext_noop("Search"),
    icon="search",
    arguments=Arguments,
    run=run,
    with_note=with_note,
)
