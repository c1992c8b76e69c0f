"""A turn's events as HTML for an open page: a whole snapshot first, then what each event changes."""

from collections.abc import Callable
from typing import Any, cast

from django.template.loader import render_to_string

from accounts.models import User
from answering.values.events import StageFinished
from chat.events import AnswerDelta, CitationChecked, TurnFinished, TurnRestarted, TurnStarted, TurnWaiting
from chat.models import Turn
from chat.trace import text_until
from chat.web.answers import rendering
from chat.web.answers.turn_view import TurnView, view_of
from events import log
from events.access import Person
from events.models import Event


def snapshot(channel: str, user: Person) -> tuple[str, int]:
    """The whole turn as it was at its newest event, and that event's number. Raises Turn.DoesNotExist."""
    seq = log.last_seq(channel)
    return _whole(view_of(_turn(channel, user), seq)), seq


def fragment(channel: str, event: Event, user: Person) -> str | None:
    """What the event changes. Raises Turn.DoesNotExist when the conversation is being deleted."""
    show = SHOW.get(event.kind, _trace if "step" in event.data else None)
    return show(view_of(_turn(channel, user), event.seq), event) if show else None


def _turn(channel: str, user: Person) -> Turn:
    turns = Turn.objects.visible_to(cast(User, user)).select_related("conversation__user")
    return turns.get(pk=channel.partition(":")[2])


def _whole(view: TurnView, event: Event | None = None) -> str:
    name = "snapshot" if view.live else "turn_finished"
    return render_to_string(f"chat/events/{name}.html", {"view": view, "oob": True})


def _place(view: TurnView, event: Event) -> str:
    view.ahead = event.data["ahead"]
    return render_to_string("chat/events/turn_waiting.html", {"view": view, "oob": True})


def _trace(view: TurnView, event: Event) -> str:
    return render_to_string("chat/events/trace.html", {"view": view, "oob": True})


def _answer_delta(view: TurnView, event: Event) -> str:
    """The block that was open, morphed, and those that begin with this piece."""
    if view.quiet:
        return ""
    before = rendering.growing_blocks(text_until(view.turn, event.seq - 1))
    after = rendering.growing_blocks(view.answer)
    settled = max(len(before) - 1, 0)
    if after[:settled] != before[:settled] or len(after) < len(before):
        return render_to_string("chat/events/blocks.html", {"view": view, "oob": True})
    context: dict[str, Any] = {"view": view, "oob": True}
    parts = [] if before or not view.keyless else [render_to_string("chat/_notes.html", context)]
    for index in range(settled, len(after)):
        block = view.block(index, after[index], last=index == len(after) - 1)
        context = {"view": view, "block": block, "is_new": index >= len(before)}
        parts.append(render_to_string("chat/events/answer_delta.html", context))
    return "".join(parts)


def _citation_checked(view: TurnView, event: Event) -> str:
    """The line of counts, and the block with the citation's chip when it waits there already."""
    parts: list[str] = [render_to_string("chat/events/citation_checked.html", {"view": view, "oob": True})]
    html = [] if view.quiet else rendering.growing_blocks(view.answer)
    for index, part in enumerate(html):
        if event.data["n"] in rendering.marks_in(part):
            block = view.block(index, part, last=index == len(html) - 1)
            context = {"view": view, "block": block, "is_new": False}
            parts.append(render_to_string("chat/events/answer_delta.html", context))
    return "".join(parts)


SHOW: dict[str, Callable[[TurnView, Event], str]] = {
    TurnWaiting.kind: _place,
    TurnStarted.kind: _whole,
    TurnRestarted.kind: _whole,
    StageFinished.kind: _trace,
    AnswerDelta.kind: _answer_delta,
    CitationChecked.kind: _citation_checked,
    TurnFinished.kind: _whole,
}
