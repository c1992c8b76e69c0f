"""What both kinds of event streams share: admission, headers, keep-alive, and the end.

A waiting client costs one task, no thread and no database connection. Django's middleware does not run here,
so its checks and headers are made by hand.
"""

import asyncio
import json
import logging
import random
from collections.abc import AsyncGenerator
from contextlib import ExitStack, suppress
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs

from channels.exceptions import StopConsumer
from channels.generic.http import AsyncHttpConsumer
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from django_eventstream.utils import sse_encode_event

from events.access import Person, Refused, admit, identity, require_known_host
from events.hub import Subscription, hub
from events.models import Event
from events.open_streams import counted
from jobs.threads import EVENT_READS

logger = logging.getLogger(__name__)

KEEP_ALIVE_SECONDS = 15.0
RECHECK_SECONDS = 60.0
CLOCK_STEP = 0.02  # seconds by which a timer may be early
RETRY_MS = (1000, 5000)  # spread out, so that the clients of a restarted server do not all come at once
RETRY_SECONDS = 5  # until a reader with too many streams asks again
CHANNELS_LIMIT = 10

SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
}
STREAM_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}


class EventStream(AsyncHttpConsumer):
    """Serves one client. Subclasses say what is sent: `serve` runs from the request until the stream ends."""

    # The hub delivers; a layer's channel for each client would be waste.
    channel_layer_alias = "unused"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pump: asyncio.Task[None] | None = None
        self.begun = False
        self.open = ExitStack()  # counts the stream among those of its reader
        self.identity: frozenset[str] = frozenset()
        self.expires: datetime | None = None

    async def serve(self) -> None:
        raise NotImplementedError

    # The base class handles a request to its end before it looks at the next message, so it would never see
    # that the client has gone: the work is done by a task beside it.
    async def http_request(self, message: dict[str, Any]) -> None:
        if not message.get("more_body"):
            self.pump = asyncio.create_task(self.answer())

    async def http_disconnect(self, message: dict[str, Any]) -> None:
        if self.pump:
            self.pump.cancel()
            with suppress(asyncio.CancelledError):
                await self.pump
        raise StopConsumer

    async def answer(self) -> None:
        """Serve, and in any case tell the client how it ended."""
        try:
            await self.serve()
            if self.begun:
                await self.send_body(b"")
        except Refused as refusal:
            await self.refuse(refusal)
        except Exception as error:
            if not isinstance(error, DatabaseError):
                logger.exception("An event stream failed")
            await (self.send_body(b"") if self.begun else self.refuse(unavailable(error)))
        finally:
            self.open.close()

    async def admit(self) -> tuple[Person, list[str]]:
        """The reader and the channels they ask for. Raises Refused."""
        require_known_host(self.headers)
        if self.scope["method"] != "GET":
            raise Refused(405, "method_not_allowed", "Events can only be read.", "Use GET.")
        channels = list(dict.fromkeys(self.query.get("channel", [])))
        if not 1 <= len(channels) <= CHANNELS_LIMIT:
            raise Refused(
                400,
                "channels_missing",
                f"A stream has from 1 to {CHANNELS_LIMIT} channels.",
                "Add ?channel=turn:<id> or ?channel=datasource:<id> to the address.",
            )
        person = await EVENT_READS.run(admit, self.headers, channels)
        self.open.enter_context(counted(int(person.pk or 0), self.scope.get("address", "")))
        self.identity = identity(self.headers, person)
        self.expires = getattr(getattr(person, "api_token", None), "expires", None)
        return person, channels

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode("latin-1"): value.decode("latin-1") for name, value in self.scope["headers"]}

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(self.scope["query_string"].decode("latin-1"))

    async def begin(self) -> None:
        """Send the headers and how long to wait before a reconnect."""
        self.begun = True
        await self.respond(200, STREAM_HEADERS, f"retry: {random.randint(*RETRY_MS)}\n\n", more=True)

    async def message(self, kind: str, data: str, event_id: str | None = None) -> None:
        text: str = sse_encode_event(kind, data, event_id)
        await self.send_body(text.encode(), more_body=True)

    async def follow(self, positions: dict[str, int]) -> AsyncGenerator[list[Event], None]:
        """Batches of events after the given positions, while the reader may read and the server runs."""
        subscription = hub.subscribe(positions, self.identity)
        clock = asyncio.get_running_loop().time
        next_check = clock() + self.until_check()
        try:
            while not subscription.closed:
                events = await subscription.next(min(KEEP_ALIVE_SECONDS, max(0.0, next_check - clock())))
                if subscription.doubted or clock() >= next_check:
                    subscription.doubted = False  # before the look: what comes during it leads to another one
                    next_check = clock() + self.until_check()
                    if not await self.may_still_read(subscription):
                        return
                if events:
                    yield events
                else:
                    await self.send_body(b": keep-alive\n\n", more_body=True)
        finally:
            hub.unsubscribe(subscription)

    def until_check(self) -> float:
        """Seconds; the last check is as soon as the API token has expired."""
        left = (self.expires - timezone.now()).total_seconds() if self.expires else 0.0
        return min(RECHECK_SECONDS, left + CLOCK_STEP) if left > 0 else RECHECK_SECONDS

    async def may_still_read(self, subscription: Subscription) -> bool:
        """False for a reader who has signed out or lost the channel. It cannot be checked without a database:
        the hub has it checked again as soon as that is back.
        """
        try:
            await EVENT_READS.run(admit, self.headers, subscription.positions)
        except Refused:
            return False
        except DatabaseError:
            pass
        return True

    async def refuse(self, refusal: Refused) -> None:
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        if refusal.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        if refusal.status == 405:
            headers["Allow"] = "GET"
        if refusal.status == 429:
            headers["Retry-After"] = str(RETRY_SECONDS)
        await self.respond(refusal.status, headers, json.dumps(refusal.error))

    async def respond(self, status: int, headers: dict[str, str], text: str = "", more: bool = False) -> None:
        sent = SECURITY_HEADERS | headers
        if settings.SECURE_HSTS_SECONDS:
            sent["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"
        pairs = [(name.encode(), value.encode()) for name, value in sent.items()]
        await self.send_headers(status=status, headers=pairs)
        await self.send_body(text.encode(), more_body=more)


def unavailable(error: Exception) -> Refused:
    if isinstance(error, DatabaseError):
        return Refused(
            503,
            "database_unavailable",
            "The database does not answer. Nothing that was written is lost.",
            "Connect again in a few seconds.",
        )
    return Refused(
        500,
        "stream_failed",
        "The events cannot be shown. Nothing that was written is lost.",
        "Reload the page; the server's log says more.",
    )
