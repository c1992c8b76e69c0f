"""Read what stands on a page: all of it in order, and so what stands around a passage."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Value
from django.db.models.functions import Lower
from django.utils.translation import gettext_noop
from pydantic import BaseModel, Field

from providers.protocols import Embedder
from retrieval.evidence import Evidence, evidence_of
from retrieval.query import Scope
from retrieval.tables import with_tables
from retrieval.tools.tool import Note, Tool

MOST_PAGES = 3
MOST_PASSAGES = 120  # a page of small print has some twenty


class Arguments(BaseModel):
    """Read a page from beginning to end, or up to three that follow each other. For what stands around a
    passage: the rest of a clause, the head of a table, the definition above it."""

    document: str = Field(min_length=1, max_length=300, description="The title, as results give it.")
    page: int = Field(ge=1, le=1_000_000, description="Its number, as results give it.")
    pages: int = Field(default=1, ge=1, le=MOST_PAGES, description="How many, from that one on.")


def run(scope: Scope, embedder: Embedder, arguments: Arguments) -> list[Evidence]:
    last = arguments.page + arguments.pages - 1
    on_page = (
        scope.chunks()
        .annotate(title=Lower("document__title"))
        .filter(title=Lower(Value(arguments.document)), first_page__lte=last, last_page__gte=arguments.page)
    )
    chunks = on_page.select_related("document").order_by("document", "start")[:MOST_PASSAGES]
    return with_tables([evidence_of(chunk, 1.0) for chunk in chunks])


def with_note(scope: Scope, embedder: Embedder, arguments: Arguments) -> tuple[list[Evidence], Note]:
    found = run(scope, embedder, arguments)
    nothing = f"There is no text on page {arguments.page} of a document called “{arguments.document}”."
    return found, Note(text="" if found else nothing)


def in_words(arguments: Mapping[str, Any]) -> str:
    """The page, for the trace."""
    first, count = arguments.get("page", "?"), arguments.get("pages", 1)
    several = isinstance(first, int) and isinstance(count, int) and count > 1
    pages = f"{first}-{first + count - 1}" if several else first
    return f"{arguments.get('document', '?')}, page {pages}"


READ_PAGE = Tool(
    name="read_page",
    label=gettext_noop("Read"),
    icon="book-open",
    arguments=Arguments,
    run=run,
    with_note=with_note,
    in_words=in_words,
    reads_whole=True,
)
