"""Documents and their pages as resources, by the addresses in `exchange.mcp.links`."""

import re

from django.http import Http404
from mcp_types import Resource, ResourceTemplate, TextResourceContents

from accounts.models import User
from datasources.models import Document
from exchange.mcp import links
from exchange.mcp.reading import above, document_of, page_of
from text.counted import counted

AT_ONCE = 100  # documents in one part of the list
MOST_TEXT = 200_000  # characters of a document that is read whole
TEXT = "text/plain"
URI = re.compile(r"svq://documents/([1-9]\d{0,17})(?:/pages/([1-9]\d{0,8}))?", re.ASCII)
TEMPLATES = [
    ResourceTemplate(
        uri_template=links.DOCUMENT,
        name="document",
        title="Document",
        mime_type=TEXT,
        description="The text of a document; of a long one the beginning.",
    ),
    ResourceTemplate(
        uri_template=links.PAGE,
        name="page",
        title="Page",
        mime_type=TEXT,
        description="The text of one page, counted from 1.",
    ),
]


def listed(person: User, cursor: str | None) -> tuple[list[Resource], str | None]:
    """Documents that are ready, and the cursor of the next part. An unknown cursor is the beginning."""
    documents = Document.objects.listed_for(person).ready().select_related("datasource").order_by("pk")
    if cursor and cursor.isascii() and cursor.isdigit() and len(cursor) < 19:
        documents = documents.filter(pk__gt=int(cursor))
    rows = list(documents[: AT_ONCE + 1])
    following = str(rows[AT_ONCE - 1].pk) if len(rows) > AT_ONCE else None
    return [described(document) for document in rows[:AT_ONCE]], following


def described(document: Document) -> Resource:
    pages = counted(document.page_count or 0, "page")
    return Resource(
        uri=links.DOCUMENT.format(document=document.pk),
        name=document.filename,
        title=document.title,
        description=f"In {document.datasource.name}, {pages}.",
        mime_type=TEXT,
    )


def read(person: User, uri: str) -> TextResourceContents:
    """Raises Http404."""
    named = URI.fullmatch(uri)
    if named is None:
        raise Http404("There is no such resource.")
    document = document_of(person, int(named[1]))
    text = page_of(document, int(named[2])).text if named[2] else whole_text(document)
    return TextResourceContents(uri=uri, mime_type=TEXT, text=above(document) + text)


def whole_text(document: Document) -> str:
    """Its pages; where there are too many, how to read on."""
    parts: list[str] = []
    length = 0
    for number, text in (
        document.pages.order_by("number").values_list("number", "text").iterator(chunk_size=50)
    ):
        if parts and length + len(text) > MOST_TEXT:
            following = links.PAGE.format(document=document.pk, page=number)
            parts.append(f"(It goes on with page {number} of {document.page_count}: {following})")
            break
        parts.append(text)
        length += len(text)
    return "\n\n".join(parts)
