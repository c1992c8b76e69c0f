"""Live delivery: one LISTEN connection in each web process feeds every reader of that process.

The table is the truth and a notification only a hint: whatever a reader may have missed is read again.
The database also notifies when somebody's right to read may have ended (`svq_site/migrations`).
"""

import asyncio
import json
import logging
from collections import deque
from contextlib import suppress
from datetime import datetime
from typing import Any

import psycopg
from django.db import DatabaseError

from events import log
from events.models import Event
from jobs.direct import direct_parameters
from jobs.threads import EVENT_READS

logger = logging.getLogger(__name__)

PENDING_LIMIT = 500
SAFETY_POLL_SECONDS = 10.0
FIRST_BACKOFF_SECONDS, LONGEST_BACKOFF_SECONDS = 0.2, 5.0


class Subscription:
    """One reader's place in its channels: `next` gives what follows, in order, each event exactly once.

    `doubted`: the reader's right to read must be checked again before anything else is sent.
    """

    def __init__(self, positions: dict[str, int], identity: frozenset[str] = frozenset()) -> None:
        self.positions = positions
        self.identity = identity  # as `events.access.identity` has it
        self.closed = False
        self.doubted = True  # it may have ended since the reader was let in
        self._pending: deque[Event] = deque()
        self._stale = set(positions)  # channels to be read from the table
        self._wake = asyncio.Event()

    async def next(self, timeout: float) -> list[Event]:
        """Wait for events, about `timeout` seconds at most; empty when none came."""
        if not (self._pending or self._stale or self.closed or self.doubted):
            self._wake.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), timeout)
        return await self._reread() if self._stale else self._take()

    def offer(self, channel: str, event: Event | None) -> None:
        """Hand over a live event; None says that the table holds something newer."""
        if event is None:
            self._stale.add(channel)
        elif len(self._pending) < PENDING_LIMIT:
            self._pending.append(event)
        else:
            self._stale.update(pending.channel for pending in self._pending)
            self._stale.add(channel)
            self._pending.clear()
        self._wake.set()

    def doubt(self) -> None:
        self.doubted = True
        self._wake.set()

    def close(self) -> None:
        """End this reader's stream."""
        self.closed = True
        self._wake.set()

    def _take(self) -> list[Event]:
        taken = []
        while self._pending:
            event = self._pending.popleft()
            position = self.positions[event.channel]
            if event.seq == position + 1:
                self.positions[event.channel] = event.seq
                taken.append(event)
            elif event.seq > position:
                self._stale.add(event.channel)
        return taken

    async def _reread(self) -> list[Event]:
        # Forgotten before the read: a hint that comes during it leads to another one.
        channel = self._stale.pop()
        try:
            events = await EVENT_READS.run(log.read, channel, self.positions[channel])
        except DatabaseError:
            self._stale.add(channel)
            await asyncio.sleep(1)
            return []
        except BaseException:
            self._stale.add(channel)
            raise
        if events:
            self.positions[channel] = events[-1].seq
        if len(events) == log.READ_LIMIT:
            self._stale.add(channel)
        return events


class Hub:
    """Routes the notifications of Postgres to the subscriptions of this process. Lives on one event loop."""

    def __init__(self) -> None:
        self._subscriptions: dict[str, set[Subscription]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    def start(self) -> None:
        """Begin to listen; a second call changes nothing."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._poll())]

    @property
    def is_closed(self) -> bool:
        """Whether the server ends."""
        return self._closed

    def subscribe(self, positions: dict[str, int], identity: frozenset[str]) -> Subscription:
        """Follow channels from the given numbers on. The caller unsubscribes."""
        self.start()
        subscription = Subscription(positions, identity)
        for channel in positions:
            self._subscriptions.setdefault(channel, set()).add(subscription)
        if self._closed:
            subscription.close()
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        for channel in subscription.positions:
            readers = self._subscriptions.get(channel, set())
            readers.discard(subscription)
            if not readers:
                self._subscriptions.pop(channel, None)

    def close(self) -> None:
        """End every stream, now and from now on: the process is about to exit."""
        self._closed = True
        for readers in self._subscriptions.values():
            for subscription in readers:
                subscription.close()

    async def stop(self) -> None:
        """Close, and hang up the LISTEN connection."""
        self.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self) -> None:
        backoff = FIRST_BACKOFF_SECONDS
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**listen_parameters()) as connection:
                    await connection.execute(f"LISTEN {log.NOTIFY_CHANNEL}")
                    backoff = FIRST_BACKOFF_SECONDS
                    self._distrust()
                    async for notification in connection.notifies():
                        self._route(notification.payload)
            except (psycopg.Error, ValueError) as error:
                logger.warning("Live events begin to listen again: %s", " ".join(str(error).split()))
            await asyncio.sleep(backoff)
            backoff = min(backoff * 2, LONGEST_BACKOFF_SECONDS)

    def _route(self, payload: str) -> None:
        told = json.loads(payload)
        if isinstance(told, dict):
            self._doubt(told["access"])
            return
        channel, seq, *rest = told
        readers = self._subscriptions.get(channel)
        if not readers:
            return
        event = None
        if rest:
            kind, data, final, created = rest
            event = Event(
                channel=channel,
                seq=seq,
                kind=kind,
                data=data,
                final=final,
                created=datetime.fromisoformat(created),
            )
        for subscription in readers:
            subscription.offer(channel, event)

    def _doubt(self, reader: str) -> None:
        """Somebody's right to read may have ended."""
        for readers in self._subscriptions.values():
            for subscription in readers:
                if reader in subscription.identity:
                    subscription.doubt()

    def _distrust(self) -> None:
        """Anything may have happened while nobody listened."""
        for channel, readers in self._subscriptions.items():
            for subscription in readers:
                subscription.offer(channel, None)
                subscription.doubt()

    async def _poll(self) -> None:
        """A safety net under the notifications: read channels that are ahead of their readers."""
        while True:
            await asyncio.sleep(SAFETY_POLL_SECONDS)
            if not self._subscriptions:
                continue
            with suppress(DatabaseError):  # _listen reports it
                newest = await EVENT_READS.run(log.last_seqs, list(self._subscriptions))
                for channel, seq in newest.items():
                    for subscription in self._subscriptions.get(channel, set()):
                        if subscription.positions[channel] < seq:
                            subscription.offer(channel, None)


def listen_parameters() -> dict[str, Any]:
    """For a connection of its own, to Postgres itself, that notices within a minute that it is dead."""
    given = direct_parameters()
    given.pop("prepare_threshold", None)
    alive = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
    return {**alive, **given, "autocommit": True, "connect_timeout": 10}


hub = Hub()
