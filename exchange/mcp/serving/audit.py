"""Notes in the audit log what programs have done over MCP, whose requests Django does not see."""

import re

from accounts.audit import note_request
from accounts.models import AuditAct, User
from exchange.mcp.tool import Arguments, Tool

_DOCUMENT = re.compile(r"documents/(\d+)")


def note_call(person: User, tool: Tool, arguments: Arguments) -> None:
    """A page that was read is seen; all else that a tool is told is a question."""
    document = getattr(arguments, "document", None)
    note_request(
        person,
        AuditAct.SAW if document else AuditAct.ASKED,
        subject="document" if document else "datasource",
        number=str(document or getattr(arguments, "datasource", None) or ""),
        datasource=getattr(arguments, "datasource", None),
        address=f"MCP {tool.name}",
    )


def note_reading(person: User, uri: str) -> None:
    """Of a document as a resource, or of one page of it."""
    number = _DOCUMENT.search(uri)
    note_request(
        person, AuditAct.SAW, subject="document", number=number[1] if number else "", datasource=None,
        address=f"MCP {uri}",
    )  # fmt: skip
