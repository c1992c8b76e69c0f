"""Events as HTML for pages: every connection begins with a snapshot, so no event ids are needed.

The module that settings.EVENT_RENDERERS names for a channel's prefix renders it.
"""

import asyncio
from contextlib import aclosing
from importlib import import_module
from typing import Protocol, cast

from django.conf import settings
from django.utils import translation

from events import log
from events.access import Person, Refused
from events.models import Event
from events.stream import EventStream
from jobs.threads import PAGE_EVENTS
from localization.languages import language_of

# Seconds between two messages: several times as long as making the last one took, within these bounds: many
# open pages leave time for other requests.
BETWEEN_MESSAGES, LONGEST_BETWEEN = 0.1, 0.5
SPARED = 4


class Renderer(Protocol):
    """What a module in EVENT_RENDERERS provides. All its HTML is out-of-band swaps."""

    def snapshot(self, channel: str, user: Person) -> tuple[str, int]:
        """Everything up to now as HTML, and the number of the last event in it."""

    def fragment(self, channel: str, event: Event, user: Person) -> str | None:
        """What one event changes; several are joined into one message."""


class HtmlStream(EventStream):
    """`GET /events/html/?channel=...`: messages `ev`, and `done` as the last one."""

    async def serve(self) -> None:
        user, channels = await self.admit()
        if len(channels) > 1:
            raise Refused(400, "one_channel_only", "A page follows one channel.", "Ask for one channel.")
        channel = channels[0]
        renderer = renderer_of(channel)
        language = language_of(user, self.headers)
        html, seq, over = await PAGE_EVENTS.run(take_snapshot, renderer, channel, user, language)
        await self.begin()
        await self.message("done" if over else "ev", html)
        if over:
            return
        clock = asyncio.get_running_loop().time
        async with aclosing(self.follow({channel: seq})) as batches:
            async for events in batches:
                begun = clock()
                html, over = await PAGE_EVENTS.run(render, renderer, channel, events, user, language)
                if html or over:
                    await self.message("done" if over else "ev", html)
                if over:
                    return
                await asyncio.sleep(min(max(BETWEEN_MESSAGES, SPARED * (clock() - begun)), LONGEST_BETWEEN))


def renderer_of(channel: str) -> Renderer:
    module = settings.EVENT_RENDERERS.get(channel.partition(":")[0])
    if module is None:
        raise Refused(404, "no_page_events", "This channel has no HTML form.", "Read it as JSON.")
    return cast(Renderer, import_module(module))


def take_snapshot(renderer: Renderer, channel: str, user: Person, language: str) -> tuple[str, int, bool]:
    """The snapshot, its event number, and whether it is the end already."""
    with translation.override(language):
        html, seq = renderer.snapshot(channel, user)
    newest = log.read(channel, max(seq - 1, 0), limit=1)
    return html, seq, any(event.seq <= seq and event.final for event in newest)


def render(
    renderer: Renderer, channel: str, events: list[Event], user: Person, language: str
) -> tuple[str, bool]:
    """One message for several events, and whether it is the last."""
    with translation.override(language):
        parts = [renderer.fragment(channel, event, user) or "" for event in events]
    return "".join(parts), any(event.final for event in events)
