"""Notes in the audit log what programs have done over MCP, whose requests Django does not see."""

import re

from accounts.audit import note_thing
from accounts.models import AuditAct, User
from exchange.mcp.tool import Arguments, Tool

_DOCUMENT = re.compile(r"documents/(\d+)", re.ASCII)

UNNOTED = {"ask", "list_datasources"}


def note_call(person: User, tool: Tool, arguments: Arguments) -> None:
    """A page that was read is seen; what else a tool is told is a question. `ask` notes itself, and a list of
    datasources is nothing to note.
    """
    if tool.name in UNNOTED:
        return
    document = getattr(arguments, "document", None)
    note_thing(
        person,
        AuditAct.SAW if document else AuditAct.ASKED,
        subject="document" if document else "datasource",
        number=document or getattr(arguments, "datasource", None) or "",
        datasource=getattr(arguments, "datasource", None),
        address=f"MCP {tool.name}",
    )


def note_reading(person: User, uri: str) -> None:
    """Of a document as a resource, or of one page of it."""
    number = _DOCUMENT.search(uri)
    note_thing(
        person, AuditAct.SAW, subject="document", number=number[1] if number else "", address=f"MCP {uri}"
    )
