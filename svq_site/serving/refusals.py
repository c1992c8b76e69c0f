"""How the server refuses a request before Django sees it: in the form in which its reader understands it."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from localization.languages import language_of
from svq_site.serving.static_app import Receive, Scope, Send, security

SCIM = "/scim/"
PROGRAMS = ("/api/", "/v1/", SCIM)  # where every error is told as SVQ's own programs know it
FOR_PROGRAMS = (*PROGRAMS, "/mcp", "/oauth/register", "/oauth/revoke", "/oauth/token")
PAGES = {HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "413.html", HTTPStatus.INSUFFICIENT_STORAGE: "507.html"}
LINGER_SECONDS = 2.0  # a client that still sends is heard for so long, so that it gets to read the refusal


def refusal(
    scope: Scope,
    status: HTTPStatus,
    code: str,
    message: str,
    hint: str,
    *,
    retry_after: int | None = None,
    **values: str,
) -> HttpResponse:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    is_htmx = headers.get("hx-request") == "true"
    with translation.override(language_of(None, headers)):
        return worded(
            scope["path"], status, code, message, hint, is_htmx=is_htmx, retry_after=retry_after, **values
        )


def worded(
    path: str,
    status: HTTPStatus,
    code: str,
    message: str,
    hint: str,
    *,
    is_htmx: bool,
    retry_after: int | None = None,
    **values: str,
) -> HttpResponse:
    """JSON, words for a script, or a page, made without what every page is given, which asks the database.

    The words are English, with names for the values: people get them in the language that is spoken.
    """
    if not path.startswith(FOR_PROGRAMS):
        message, hint = _(message), _(hint)
    message = message.format(**values)
    if path.startswith(FOR_PROGRAMS):
        body = json.dumps({"code": code, "message": message, "hint": hint}, ensure_ascii=False)
        kind = "application/json"
    elif is_htmx:
        body, kind = f"{message} {hint}", "text/plain; charset=utf-8"
    else:
        body = render_to_string(PAGES.get(status, "refused.html"), {"message": message, "hint": hint})
        kind = "text/html; charset=utf-8"
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return HttpResponse(body, status=status, content_type=kind, headers=headers)


async def refuse(response: HttpResponse, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer, hear the rest out for a moment and keep none of it, then end the connection."""
    headers = [
        *response.headers.items(),
        ("Content-Length", str(len(response.content))),
        ("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self' data:"),
        ("Cache-Control", "no-store"),
        ("Connection", "close"),
        *security(),
    ]
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers]
    await send({"type": "http.response.start", "status": response.status_code, "headers": encoded})
    await send({"type": "http.response.body", "body": response.content, "more_body": True})
    if not any(name == b"expect" for name, _ in scope["headers"]):  # to be read is what that one waits for
        with suppress(TimeoutError):
            await asyncio.wait_for(_hear_out(receive), LINGER_SECONDS)
    await send({"type": "http.response.body", "body": b""})


async def _hear_out(receive: Callable[[], Any]) -> None:
    while (await receive()).get("more_body"):
        pass
