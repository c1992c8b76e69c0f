"""Events as JSON for programs: each has an id, and a reconnect with the last id continues after it."""

import json
from contextlib import aclosing
from urllib.parse import unquote

from django_eventstream.utils import make_id

from events import log
from events.access import Refused
from events.models import Event
from events.stream import EventStream
from jobs.threads import EVENT_READS


class JsonStream(EventStream):
    """`GET /events/?channel=...&last=...`; the header Last-Event-ID wins over `last`."""

    async def serve(self) -> None:
        _, channels = await self.admit()
        last = self.headers.get("last-event-id") or self.query.get("last", [""])[-1]
        positions = dict.fromkeys(channels, 0) | parse_ids(last, channels)
        is_new = not any(positions.values())  # who has read nothing has missed nothing
        over, lost = (False, {}) if is_new else await EVENT_READS.run(missed, positions)
        if over:
            await self.respond(204, {"Cache-Control": "no-store"})  # tells a browser not to come back
            return
        await self.begin()
        for channel, newest in lost.items():
            positions[channel] = newest
            data = json.dumps({"v": 1, "channel": channel, "seq": newest})
            await self.message("stream-reset", data, make_id(positions))
        sent = dict(positions)  # the subscription moves its own copy on before the events are sent
        async with aclosing(self.follow(positions)) as batches:
            async for events in batches:
                for event in events:
                    sent[event.channel] = event.seq
                    await self.message(event.kind, as_json(event), make_id(sent))
                    if event.final and len(channels) == 1:
                        return


def as_json(event: Event) -> str:
    """In ASCII: who reads by `str.splitlines`, as httpx does, ends a line at U+2028, U+2029 and U+0085."""
    return json.dumps({**event.data, "channel": event.channel, "seq": event.seq})


def parse_ids(text: str, channels: list[str]) -> dict[str, int]:
    """`turn%3A<id>:5,datasource%3A7:12` as numbers by channel; channels not asked for are ignored."""
    positions = {}
    for part in filter(None, text.split(",")):
        name, _, number = part.rpartition(":")
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise Refused(
                400,
                "malformed_last_id",
                "The id of the last event is not one that this server sends.",
                "Send the id as it was received, or none to read from the beginning.",
            )
        positions[unquote(name)] = int(number)
    return {channel: positions[channel] for channel in channels if channel in positions}


def missed(positions: dict[str, int]) -> tuple[bool, dict[str, int]]:
    """`is_over`, and `lost_channels`."""
    return is_over(positions), lost_channels(positions)


def is_over(positions: dict[str, int]) -> bool:
    """Whether the client has the final event of its only channel already."""
    if len(positions) > 1:
        return False
    ((channel, position),) = positions.items()
    rest = log.read(channel, position - 1, limit=2) if position else []
    return [(event.seq, event.final) for event in rest] == [(position, True)]


def lost_channels(positions: dict[str, int]) -> dict[str, int]:
    """Channels whose events after the client's position are no longer all there, with their newest number."""
    lost = {}
    newest = log.last_seqs(list(positions))
    for channel, position in positions.items():
        if not position:
            continue
        oldest = next((event.seq for event in log.read(channel, limit=1)), 1)
        if not oldest - 1 <= position <= newest.get(channel, 0):
            lost[channel] = newest.get(channel, 0)
    return lost
