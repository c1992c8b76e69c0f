"""The address of the Model Context Protocol, an ASGI application: lets programs pass with an API token, and
those that a person has let in.

The SDK and the server are loaded by the first request: that takes as long as half of the start, and most
installations never use them.
"""

import asyncio
import json
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http.request import split_domain_port, validate_host
from django.urls import reverse

from accounts.api_tokens import ENDED, token_of
from accounts.models import ApiToken, User
from accounts.programs.rule import SCOPES, is_offered
from accounts.programs.tokens import token_of_program
from events.access import Refused, require_known_host
from jobs.threads import EVENT_READS

SERVER = "exchange.mcp.serving.server"
DATABASE_AWAY = (OperationalError, InterfaceError)
AWAY = Refused(
    503,
    "unavailable",
    "The database cannot do this just now. What was stored before is safe.",
    "Try again in a few seconds.",
)
OVER = Refused(401, "not_signed_in", ENDED, "Sign in again.")
SECONDS_UNTIL_TRIED_AGAIN = 5


class Door:
    """Requests are independent: nothing is kept between two, so any web server can answer them."""

    def __init__(self) -> None:
        self._opening = asyncio.Lock()
        self._opened = asyncio.Event()
        self._life: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._sessions: Any = None  # the SDK's StreamableHTTPSessionManager

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            scope["person"] = await admitted(scope["method"], headers)
        except DATABASE_AWAY:
            await refuse(AWAY, send)
            return
        except Refused as refusal:
            await refuse(refusal, send, await asks_for(refusal, headers))
            return
        await self._open()
        scope["over"] = over = asyncio.Event()  # set by who finds out that the token has ended meanwhile
        await self._sessions.handle_request(scope, receive, _Held(send, over, headers))

    async def _open(self) -> None:
        """Raises what keeps the server from starting; the next request tries again."""
        async with self._opening:
            if self._life is None or self._life.done():
                server = await asyncio.to_thread(import_module, SERVER)
                self._opened.clear()
                self._life = asyncio.create_task(self._live(server))
            opened = asyncio.create_task(self._opened.wait())
            await asyncio.wait({self._life, opened}, return_when=asyncio.FIRST_COMPLETED)
            opened.cancel()
            if self._life.done():
                self._life.result()

    async def _live(self, server: Any) -> None:
        """In a task of its own, since the SDK ends its tasks where it began them."""
        self._sessions = server.sessions()
        async with self._sessions.run():
            self._opened.set()
            await self._stop.wait()

    async def close(self) -> None:
        """With the web server: what still runs is cancelled."""
        self._stop.set()
        if self._life:
            await self._life


class _Held:
    """The way back to the program. The head of an answer waits for its first part: until then it can still be
    the refusal that says how to be let in again.
    """

    def __init__(self, send: Any, over: asyncio.Event, headers: dict[str, str]) -> None:
        self._send, self._over, self._headers = send, over, headers
        self._head: Any = None
        self._is_refused = False

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self._head = message
            return
        if self._head and self._over.is_set():
            self._head, self._is_refused = None, True
            await refuse(OVER, self._send, await asks_for(OVER, self._headers))
        if self._is_refused:
            return
        if self._head:
            await self._send(self._head)
            self._head = None
        await self._send(message)


async def admitted(method: str, headers: dict[str, str]) -> User:
    """The person whose API token the request carries. Raises Refused."""
    require_known_host(headers)
    if not is_own(headers.get("origin", "")):
        raise Refused(403, "foreign_origin", "Pages of other sites may not do this.", "Use a program.")
    token = await EVENT_READS.run(token_in, headers)
    if token is None:
        raise Refused(
            401,
            "not_signed_in",
            "This needs a token that has not ended.",
            "Let the program in, or make an API token in your settings and send it as “Authorization: "
            "Bearer svq_...”.",
        )
    if method != "POST":
        raise Refused(405, "method_not_allowed", "Nothing is sent unasked.", "Use POST.")
    return token.user


def token_in(headers: dict[str, str]) -> ApiToken | None:
    """Of either kind."""
    scheme, _, secret = headers.get("authorization", "").strip().partition(" ")
    secret = secret.strip()
    if scheme.lower() != "bearer" or not secret:
        return None
    return token_of(secret) or token_of_program(secret)


async def asks_for(refusal: Refused, headers: dict[str, str]) -> str:
    """The challenge, for who has no token that counts."""
    if refusal.status != 401:
        return ""
    try:
        return await EVENT_READS.run(challenge, headers, ENDED if refusal is OVER else "")
    except DATABASE_AWAY:
        return "Bearer"


def challenge(headers: dict[str, str], why: str = "") -> str:
    """What a program without a token that counts is told: where it reads how to ask to be let in. why: that
    is known only of one that has counted.
    """
    if not is_offered():
        return "Bearer"
    said = [
        f'resource_metadata="{settings.SITE_URL}{reverse("oauth_resource")}"',
        f'scope="{" ".join(SCOPES)}"',
    ]
    if headers.get("authorization"):
        said.insert(
            0, f'error="invalid_token", error_description="{why}"' if why else 'error="invalid_token"'
        )
    return f"Bearer {', '.join(said)}"


def is_own(origin: str) -> bool:
    """Whether a browser's page is from here; programs send no origin."""
    if not origin:
        return True
    domain, _ = split_domain_port(urlsplit(origin).netloc)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


async def refuse(refusal: Refused, send: Any, asks: str = "") -> None:
    """asks: the header that says how to be let in."""
    body = json.dumps(refusal.error, ensure_ascii=False).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if asks:
        headers.append((b"www-authenticate", asks.encode()))
    if refusal.status == 503:
        headers.append((b"retry-after", str(SECONDS_UNTIL_TRIED_AGAIN).encode()))
    if refusal.status == 405:
        headers.append((b"allow", b"POST"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


door = Door()
