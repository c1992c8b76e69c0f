"""What pages show of a model besides its name: its speed, and the address that tells its health."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from providers.roles import Endpoint


def figures(
    server: Endpoint | None, speeds: Mapping[tuple[str, str], str], address: str, **asked: object
) -> dict[str, Any]:
    """`speeds`: of `providers.spending.speed`; `address`: of the page that says how the model does."""
    return {
        "server": server,
        "speed": speeds.get((server.model, server.host), "") if server else "",
        "health": f"{address}?{urlencode(asked)}",
    }
