"""Answers for collected files on the event loop itself: a page asks for twenty, and none needs Django."""

from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[..., Awaitable[None]]


class CollectedFiles:
    """An ASGI application in front of another one, which gets every request for anything else."""

    def __init__(self, others: Application) -> None:
        self.others = others
        self.files = WhiteNoiseMiddleware(None).files  # empty with SVQ_DEBUG: Django looks for them

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = self.files.get(scope["path"])
        if file is None:
            await self.others(scope, receive, send)
            return
        answer = file.get_response(scope["method"], as_in_wsgi(scope["headers"]))
        body = b""
        if answer.file:
            with answer.file as opened:
                body = opened.read()
        headers = [(name.encode(), value.encode()) for name, value in [*answer.headers, *security()]]
        await send({"type": "http.response.start", "status": int(answer.status), "headers": headers})
        await send({"type": "http.response.body", "body": body})


def as_in_wsgi(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """The request's headers under the names by which WhiteNoise looks for them."""
    return {
        f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}": value.decode("latin-1")
        for name, value in headers
    }


def security() -> list[tuple[str, str]]:
    """What Django's middleware would add."""
    headers = [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", settings.SECURE_REFERRER_POLICY)]
    if settings.SECURE_HSTS_SECONDS:
        headers.append(("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}"))
    return headers
