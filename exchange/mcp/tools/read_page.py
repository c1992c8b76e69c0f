"""The text of one page."""

from pydantic import Field

from accounts.models import TokenScope, User
from exchange.mcp import links, outputs
from exchange.mcp.reading import above, document_of, page_of
from exchange.mcp.threads import CALLS
from exchange.mcp.tool import Arguments, Link, Progress, Tool, ToolResult


class ReadPage(Arguments):
    """Read the whole text of a page of a document, such as the one that a passage is on or the next one."""

    document: int = Field(ge=1, description="Number of the document.")
    page: int = Field(default=1, ge=1, description="From 1.")


async def run(person: User, arguments: ReadPage, progress: Progress) -> ToolResult:
    return await CALLS.run(read, person, arguments)


def read(person: User, arguments: ReadPage) -> ToolResult:
    """Raises Http404."""
    document = document_of(person, arguments.document)
    page = page_of(document, arguments.page)
    text = page.text if page.text.strip() else "This page has no text: it is a picture, or could not be read."
    link = links.reader(document.datasource_id, document.pk, page.number)
    uri = links.PAGE.format(document=document.pk, page=page.number)
    count = document.page_count or page.number
    return ToolResult(
        text=f"{document.title}, page {page.number} of {count}\n{link}\n\n{above(document)}{text}",
        data={
            "document": document.pk,
            "title": document.title,
            "page": page.number,
            "pages": count,
            "text": page.text,
            "read_elsewhere": document.read_elsewhere,
            "link": link,
            "resource": uri,
        },
        links=(Link(uri=uri, name=f"{document.title}, page {page.number}"),),
    )


READ_PAGE = Tool(
    name="read_page",
    title="Read a page",
    scope=TokenScope.READ,
    arguments=ReadPage,
    output=outputs.Page,
    run=run,
)
