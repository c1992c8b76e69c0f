"""What common programs are told so that they use SVQ over MCP, with a token filled in."""

import json
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

ANY = "svq_…"  # where there is no token to fill in


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """`text` goes where `place` says."""

    name: str
    place: str
    text: str


def address() -> str:
    return f"{settings.SITE_URL}/mcp"


def programs(secret: str = ANY) -> list[Program]:
    """See docs/how-to/connect-mcp.md."""
    header = f"Authorization: Bearer {secret}"
    headers = {"Authorization": f"Bearer {secret}"}
    remote = ["-y", "mcp-remote", address(), "--header", header]
    return [
        Program(
            name="Claude Code",
            place=_("in a terminal"),
            text=f'claude mcp add --transport http svq {address()} --header "{header}"',
        ),
        Program(
            name="Cursor",
            place="~/.cursor/mcp.json",
            text=_json({"mcpServers": {"svq": {"url": address(), "headers": headers}}}),
        ),
        Program(
            name="VS Code",
            place=".vscode/mcp.json",
            text=_json({"servers": {"svq": {"type": "http", "url": address(), "headers": headers}}}),
        ),
        Program(
            name="Claude Desktop",
            place=_("claude_desktop_config.json, needs Node.js"),
            text=_json({"mcpServers": {"svq": {"command": "npx", "args": remote}}}),
        ),
        Program(
            name=_("Any program, over REST"),
            place=_("in a terminal"),
            text=f'curl -H "{header}" {settings.SITE_URL}/api/v1/data-sources',
        ),
    ]


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
