"""The ASGI application: streams to their consumers, agents to MCP, files to WhiteNoise, the rest to Django.

No body is read before its length is known to be allowed.
"""

import asyncio
import os
import signal
import threading
from types import FrameType
from typing import Any

from django.core.asgi import get_asgi_application

from svq_site.database.database import release_embedded, start_embedded
from svq_site.host.memory import load_apps
from svq_site.host.parent import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
# Each request has a thread of its own, and without a pool a connection of its own that knows no table yet.
os.environ.setdefault("SVQ_DATABASE_POOL", "40")
start_embedded()
load_apps()
django_application = get_asgi_application()

# These need the apps to be loaded.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware  # noqa: E402

from events.html_stream import HtmlStream  # noqa: E402
from events.hub import hub  # noqa: E402
from events.json_stream import JsonStream  # noqa: E402
from exchange.mcp.serving.door import door  # noqa: E402
from svq_site.body_limits import BodyLimits  # noqa: E402
from svq_site.database import pooler  # noqa: E402
from svq_site.host import warm_up  # noqa: E402
from svq_site.monitoring.probes import livez, readyz, service  # noqa: E402
from svq_site.monitoring.tracing import tracing  # noqa: E402
from svq_site.serving.open_files import raise_limit  # noqa: E402
from svq_site.serving.request_id import RequestId  # noqa: E402
from svq_site.serving.requests_at_once import RequestsOfAddress  # noqa: E402
from svq_site.serving.static_app import CollectedFiles, Receive, Scope, Send  # noqa: E402

pooler.go_through()  # before the first connection


async def lifespan(scope: Scope, receive: Receive, send: Send) -> None:
    """Start listening with the server. Streams end at the signal to stop: the server waits for them."""
    await receive()
    raise_limit()
    hub.start()
    tracing.start("web")
    end_streams_at_signals()
    die_with_parent()
    warm_up.start()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await door.close()
    await hub.stop()
    tracing.stop()
    release_embedded()  # uvicorn then ends by the signal it got, and nothing more runs
    await send({"type": "lifespan.shutdown.complete"})


def end_streams_at_signals() -> None:
    """Before the server's own handlers: its shutdown message comes only after the last stream has ended."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        servers = signal.getsignal(number)

        def end(received: int, servers: Any) -> None:
            hub.close()
            if callable(servers):
                servers(received, None)
            else:
                signal.signal(received, servers)
                signal.raise_signal(received)

        def handle(received: int, frame: FrameType | None, servers: Any = servers) -> None:
            """At a second signal at once. Until then a balancer of requests finds others to send them to."""
            wait = 0 if service.ends or received == signal.SIGINT else settings.DRAIN_SECONDS
            service.ends = True
            loop.call_soon_threadsafe(loop.call_later, wait, end, received, servers)

        signal.signal(number, handle)


ROUTES: list[tuple[str, Any]] = [
    (r"^events/$", JsonStream.as_asgi()),
    (r"^events/html/$", HtmlStream.as_asgi()),
    (r"^mcp/?$", door),
    (r"^livez$", livez),
    (r"^readyz$", readyz),
    (r"", django_application),
]
router = URLRouter([re_path(route, served) for route, served in ROUTES])
bounded: Any = RequestsOfAddress(BodyLimits(CollectedFiles(router)))
http: Any = RequestId(ProxyHeadersMiddleware(bounded, settings.TRUSTED_PROXIES))
application = ProtocolTypeRouter({"lifespan": lifespan, "http": http})
