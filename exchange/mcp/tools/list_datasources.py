"""Which datasources there are, and the documents of one."""

from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from pydantic import Field

from accounts.models import TokenScope, User
from datasources.access import seen_by
from datasources.models import Datasource, Document, Role
from exchange.mcp import links, outputs
from exchange.mcp.threads import CALLS
from exchange.mcp.tool import Arguments, Link, Progress, Tool, ToolResult
from retrieval.api.refusals import Code, Refusal
from text.counted import counted

MOST = 500  # documents that are listed
READY = Coalesce(
    Subquery(
        Document.objects.ready()
        .filter(datasource=OuterRef("pk"))
        .order_by()
        .values("datasource")
        .values(count=Count("pk"))
    ),
    0,
)


class ListDatasources(Arguments):
    """List the collections of documents that you may search, with their numbers. Given the number of one,
    list its documents too, with theirs."""

    datasource: int | None = Field(default=None, ge=1, description="Number of one whose documents to list.")
    title: str = Field(default="", max_length=200, description="Only documents with this in their title.")


async def run(person: User, arguments: ListDatasources, progress: Progress) -> ToolResult:
    return await CALLS.run(listed, person, arguments)


def listed(person: User, arguments: ListDatasources) -> ToolResult:
    visible = (
        Datasource.objects.visible_to(person, Role.ASKER)
        .select_related("owner", "introduction")
        .annotate(ready=READY)
    )
    if arguments.datasource is None:
        rows = [row_of(datasource) for datasource in seen_by(person, list(visible.filter(archived=None)))]
        lines = [f"{counted(len(rows), 'datasource')}.", *map(in_words, rows)]
        return ToolResult(text="\n".join(lines), data={"datasources": rows})
    datasource = visible.filter(pk=arguments.datasource).first()
    if datasource is None:
        raise Refusal(
            Code.NO_DOCUMENTS,
            f"There is no datasource {arguments.datasource} that you may see.",
            "Call this without a number to list those that there are.",
        )
    seen_by(person, [datasource])
    return with_documents(datasource, arguments.title.replace("\0", ""))


def with_documents(datasource: Datasource, title: str) -> ToolResult:
    """Where the person may only ask, without the ways to read them."""
    current = datasource.documents.current().filter(title__icontains=title).order_by("title", "pk")
    documents = [document_row(document) for document in current[:MOST]]
    if datasource.only_asked:
        documents = [each | {"link": "", "resource": ""} for each in documents]
    count = current.count()
    row = row_of(datasource) | {"document_list": documents}
    more = f" The first {MOST} are listed; name part of a title to see others." if count > MOST else ""
    among = " with that in the title" if title else ""
    lines = [in_words(row), f"{counted(count, 'document')}{among}.{more}"]
    lines += [
        f"- document {each['id']}: {each['title']} "
        f"({counted(each['pages'], 'page')}, {each['status']}) {each['link']}".rstrip()
        for each in documents
    ]
    named = tuple(
        Link(uri=each["resource"], name=each["title"]) for each in documents[:50] if each["resource"]
    )
    return ToolResult(text="\n".join(lines), data={"datasources": [row]}, links=named)


def row_of(datasource: Datasource) -> dict[str, Any]:
    return {
        "id": datasource.pk,
        "name": datasource.name,
        "description": datasource.description or datasource.made_description,
        "owner": datasource.owner.get_full_name(),
        "documents": datasource.ready,  # type: ignore[attr-defined]
        "link": links.datasource_page(datasource.pk),
    }


def document_row(document: Document) -> dict[str, Any]:
    return {
        "id": document.pk,
        "title": document.title,
        "file": document.filename,
        "pages": document.page_count or 0,
        "status": document.status,
        "read_elsewhere": document.read_elsewhere,
        "link": links.reader(document.datasource_id, document.pk, 1),
        "resource": links.DOCUMENT.format(document=document.pk),
    }


def in_words(row: dict[str, Any]) -> str:
    about = f": {row['description']}" if row["description"] else ""
    documents = counted(row["documents"], "document")
    return f"- datasource {row['id']}: {row['name']} ({documents}){about} {row['link']}"


LIST_DATASOURCES = Tool(
    name="list_datasources",
    title="List datasources",
    scope=TokenScope.READ,
    arguments=ListDatasources,
    output=outputs.Datasources,
    run=run,
)
