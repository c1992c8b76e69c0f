"""Every passage with the very words: how many there are, in which documents, and a page of them."""

from pydantic import BaseModel, Field

from providers.protocols import Embedder
from retrieval.evidence import Evidence
from retrieval.legs.mentions import PER_PAGE, mentions
from retrieval.query import Scope
from retrieval.table_heads import with_table_heads
from retrieval.tools.tool import Tool

TITLES = 50  # documents that the model is told of


class Arguments(BaseModel):
    """Count every passage that has these very words, and list which documents have them: nothing is left out.
    For "how many", "list all", "which documents mention"."""

    words: str = Field(min_length=2, max_length=200, description="A name, code or phrase as it is written.")
    page: int = Field(default=1, ge=1, le=10_000, description=f"Which {PER_PAGE} of the passages to read.")


def run(scope: Scope, embedder: Embedder, arguments: Arguments) -> list[Evidence]:
    return with_table_heads(mentions(scope, arguments.words).page(arguments.page))


def note(scope: Scope, arguments: Arguments) -> str:
    found = mentions(scope, arguments.words)
    if not found.count:
        return f"Counted to the last: no passage has “{arguments.words}”."
    told = ", ".join(f"{title} ({count})" for title, count in found.documents[:TITLES])
    passages = "1 passage" if found.count == 1 else f"{found.count} passages"
    documents = "1 document" if len(found.documents) == 1 else f"{len(found.documents)} documents"
    more = len(found.documents) - TITLES
    return (
        f"Counted to the last: “{arguments.words}” is in {passages} of {documents}. "
        f"This is page {arguments.page} of {found.pages}. Passages by document: {told}"
        + (f", and {more} more documents." if more > 0 else ".")
    )


LIST_MENTIONS = Tool(
    name="list_mentions", label="Count", icon="list-checks", arguments=Arguments, run=run, note=note
)
