"""Bounds the body of each request, by its route and its sender, and the time it takes to arrive.

An ASGI application in front of another one. What is too long by its own account is refused before it is read;
what does not say how long it is, is counted and cut off.
"""

from http import HTTPStatus
from io import BytesIO
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.template.defaultfilters import filesizeformat
from django.urls import Resolver404, resolve
from django.utils.translation import gettext_noop

from accounts.scim.directories import by_header
from datasources.client import ClientLeft
from datasources.storage.errors import is_full
from events.access import by_token
from jobs.threads import Pool
from svq_site.api_errors import DISK_FULL
from svq_site.serving.pace import Pace
from svq_site.serving.refusals import SCIM, refusal, refuse
from svq_site.serving.static_app import Application, Receive, Scope, Send

SENDERS = Pool("senders", 2)  # who sends a long body is looked up before the body is read
WITH_A_FILE = ("POST", "PUT", "PATCH")


class BodyLimits:
    """Lets requests pass to `others` with at most as much body as their route and their sender may have."""

    def __init__(self, others: Application) -> None:
        self.others = others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = _Body(scope, receive)
        declared = _declared_length(scope)
        if await body.may_have(declared):
            try:
                await self.others(scope, body.receive, body.unless_cut(send))
            except OSError as error:  # a long body is kept on a disk while it arrives
                if body.answered or not is_full(error):
                    raise
                body.refusal = _disk_full(scope)
        if body.refusal and not body.answered:
            await refuse(body.refusal, scope, receive, send)


class _Body:
    """Counts what has arrived of one request's body. refusal: the response, once it cannot be taken."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.scope = scope
        self._receive = receive
        self.received = 0
        self.allowed = settings.MAX_ANONYMOUS_BYTES
        self.identified = False
        self.answered = False
        self.refusal: HttpResponse | None = None
        self.pace = Pace(settings.BODY_SECONDS)
        scope["client_left"] = self.client_left = ClientLeft()

    async def may_have(self, length: int) -> bool:
        """Whether a body of so many bytes is allowed; who sends it is only looked up if it matters."""
        if length > self.allowed and not self.identified:
            self.identified = True
            self.allowed = await _allowance(self.scope)
        if length <= self.allowed:
            return True
        self.refusal = _refusal(self.scope, self.allowed)
        return False

    async def receive(self) -> dict[str, Any]:
        """The next message; where the body is cut off, "http.disconnect": upon that applications give up."""
        try:
            message = await self.pace.next(self._receive)
        except TimeoutError:
            self.refusal = _too_slow(self.scope)
            message = {"type": "http.disconnect"}
        self.received += len(message.get("body", b""))
        if message["type"] == "http.disconnect" or not await self.may_have(self.received):
            self.client_left.set()
            return {"type": "http.disconnect"}
        return message

    def unless_cut(self, send: Send) -> Send:
        async def sent(message: dict[str, Any]) -> None:
            if self.refusal is None or self.answered:
                self.answered = True
                await send(message)

        return sent


def _declared_length(scope: Scope) -> int:
    """By the header; 0 where there is none. The server has refused what is no number."""
    return max((int(value) for name, value in scope["headers"] if name == b"content-length"), default=0)


async def _allowance(scope: Scope) -> int:
    """Bytes that this sender may send there."""
    return _limit_of_route(scope) if await SENDERS.run(_is_signed_in, scope) else settings.MAX_ANONYMOUS_BYTES


def _limit_of_route(scope: Scope) -> int:
    try:
        name = resolve(scope["path"]).url_name or ""
    except Resolver404:
        name = ""
    limits: dict[str, int] = settings.BODY_LIMITS if scope["method"] in WITH_A_FILE else {}
    return limits.get(name, settings.MAX_REQUEST_BYTES)


def _is_signed_in(scope: Scope) -> bool:
    """By a session or by any of the REST interface's tokens; at the addresses of directories by their own. A
    request that forges them is nobody's.
    """
    request = ASGIRequest(scope, BytesIO())
    bearer = request.headers.get("Authorization", "")
    if scope["path"].startswith(SCIM):
        return by_header(bearer) is not None
    SessionMiddleware(lambda _: HttpResponse()).process_request(request)
    if get_user(request).is_authenticated:
        return True
    return bool(by_token(bearer).is_authenticated)


def _refusal(scope: Scope, allowed: int) -> HttpResponse:
    size = filesizeformat(allowed).replace("\xa0", " ")
    message = gettext_noop("The request is larger than the {size} that are allowed here. Nothing was stored.")
    if allowed == settings.MAX_ANONYMOUS_BYTES:
        hint = gettext_noop("Sign in, then send it again.")
    elif allowed == settings.MAX_REQUEST_BYTES:
        hint = gettext_noop("Send less at once.")
    else:
        hint = gettext_noop(
            "Split the file or send fewer at once, or have the limit raised (SVQ_MAX_UPLOAD_MB)."
        )
    return refusal(scope, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", message, hint, size=size)


def _too_slow(scope: Scope) -> HttpResponse:
    message = gettext_noop("The rest of the request did not arrive in time. Nothing was stored.")
    return refusal(scope, HTTPStatus.REQUEST_TIMEOUT, "too_slow", message, gettext_noop("Send it again."))


def _disk_full(scope: Scope) -> HttpResponse:
    return refusal(scope, HTTPStatus.INSUFFICIENT_STORAGE, *DISK_FULL)
