"""Each request has an id: the log has it, and the response, so that what somebody reports can be found."""

import re
from contextvars import ContextVar
from typing import Any
from uuid import uuid4

from django.conf import settings
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from svq_site.serving.static_app import Application, Receive, Scope, Send

HEADER = b"x-request-id"
_WELL_FORMED = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def current_request() -> str:
    """The id of the request that is being answered; empty outside of one."""
    return _current.get()


class RequestId:
    """An ASGI application in front of another one, while the client is still whoever connected."""

    def __init__(self, others: Application) -> None:
        self.others = others
        proxies = ProxyHeadersMiddleware(None, settings.TRUSTED_PROXIES)  # type: ignore[arg-type]
        self.proxies = proxies.trusted_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A proxy that is trusted may have given the request an id. Anybody else could take another one's."""
        given = dict(scope["headers"]).get(HEADER, b"")
        client = scope.get("client")
        is_proxy = client is not None and client[0] in self.proxies
        taken = given.decode() if is_proxy and _WELL_FORMED.fullmatch(given) else uuid4().hex
        _current.set(taken)

        async def named(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = message | {"headers": [*message.get("headers", ()), (HEADER, taken.encode())]}
            await send(message)

        await self.others(scope, receive, named)
