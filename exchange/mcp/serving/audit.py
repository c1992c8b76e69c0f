"""Notes in the audit log what programs have done over MCP, whose requests Django does not see."""

import re

from accounts.audit import note_thing
from accounts.models import AuditAct, User
from datasources.models import Document
from datasources.numbers import number_in
from exchange.mcp.tool import Arguments, Tool

_DOCUMENT = re.compile(r"documents/(\d+)", re.ASCII)

UNNOTED = {"ask", "list_datasources"}


def note_call(person: User, tool: Tool, arguments: Arguments) -> None:
    """A page that was read is seen; what else a tool is told is a question. `ask` notes itself, and a list of
    datasources is nothing to note.
    """
    if tool.name in UNNOTED:
        return
    document, datasource = getattr(arguments, "document", None), getattr(arguments, "datasource", None)
    page = getattr(arguments, "page", None)
    note_thing(
        person,
        AuditAct.SAW if document else AuditAct.ASKED,
        subject="document" if document else "datasource",
        number=document or datasource or "",
        datasource=datasource or (_datasource_of(document) if document else None),
        address=f"MCP {tool.name}" + (f", page {page}" if page else ""),
    )


def note_reading(person: User, uri: str) -> None:
    """Of a document as a resource, or of one page of it."""
    found = _DOCUMENT.search(uri)
    number = number_in(found[1]) if found else None
    note_thing(
        person,
        AuditAct.SAW,
        subject="document",
        number=found[1] if found else "",
        datasource=_datasource_of(number) if number else None,
        address=f"MCP {uri}",
    )


def _datasource_of(document: int) -> int | None:
    return Document.objects.filter(pk=document).values_list("datasource", flat=True).first()
