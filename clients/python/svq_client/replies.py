"""What came back: its JSON, or the refusal that it is."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from svq_client.errors import SvqError


@dataclass(frozen=True, slots=True)
class Reply:
    """headers: by their names in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def json_of(reply: Reply) -> Any:
    """Raises SvqError `unexpected_answer`."""
    try:
        return json.loads(reply.body)
    except ValueError:
        raise SvqError(
            "unexpected_answer",
            "The server answered with something else than JSON.",
            "Check that the address is that of SVQ.",
            reply.status,
        ) from None


def refusal(reply: Reply) -> SvqError | None:
    """None for what was done."""
    if reply.status < 300:
        return None
    if reply.status < 400:
        place = reply.headers.get("location", "elsewhere")
        hint = "Give the address that the server itself has, such as that with https."
        return SvqError("redirected", f"The server points to {place}.", hint, reply.status)
    told = _object(reply.body)
    code, message = told.get("code"), told.get("message")
    return SvqError(
        str(code or f"http_{reply.status}"),
        str(message or f"The server answered {reply.status}, without a reason."),
        str(told.get("hint") or ""),
        reply.status,
        _seconds(reply.headers.get("retry-after", "")),
    )


def _object(body: bytes) -> dict[str, Any]:
    """What stands between may answer with a page of its own."""
    try:
        told = json.loads(body)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _seconds(retry_after: str) -> float | None:
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    try:
        at = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
