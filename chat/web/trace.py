"""The steps of an answer as a page lists them, read from a turn's events or, once they are gone, its row."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from chat.events import (
    AnswerCompleted,
    CitationChecked,
    RoundStarted,
    ToolCalled,
    ToolReturned,
    TurnFinished,
    TurnRestarted,
    TurnStarted,
)
from chat.models import TurnStatus, Verdict
from events.models import Event

# What people call a tool, its icon, and what its hits are.
TOOLS = {
    "search_chunks": ("Search", "search", "hit"),
    "search_literal": ("Find words", "scan-text", "hit"),
    "query_entities": ("Entities", "tag", "hit"),
    "query_relations": ("Relations", "link", "hit"),
    "query_knowledge_graph": ("Graph", "waypoints", "hit"),
}
OTHER_TOOL = ("Look up", "file-text", "hit")
BROKEN = {TurnStatus.FAILED: "f", TurnStatus.STOPPED: "w"}  # how the step looks at which a turn ended
NARROWEST = 1.5  # percent of the bar
MINUTE = 60_000  # ms


@dataclass(slots=True, kw_only=True)
class Line:
    """One step. Times in milliseconds from the beginning; `ms` None while it runs or if unknown."""

    name: str
    icon: str
    query: str = ""
    hits: str = ""
    start: float = 0
    ms: int | None = None
    state: str = ""  # "", now, w (look at it), f (failed)
    left: float = 0  # of the bar, in percent
    width: float = 0

    @property
    def took(self) -> str:
        return "" if self.ms is None else duration(self.ms)


@dataclass(slots=True, kw_only=True)
class _Reading:
    """What has been read of a turn's events."""

    begun: datetime | None = None
    lines: list[Line] = field(default_factory=list)
    calls: dict[str, Line] = field(default_factory=dict)
    verdicts: list[str] = field(default_factory=list)
    thinking: Line | None = None  # the line of the round that has called nothing yet


def duration(ms: float) -> str:
    """“86 ms”, “2.4 s”, “1.5 min”."""
    if ms < 1000:
        return f"{ms:.0f} ms"
    return f"{ms / 1000:.1f} s" if ms < MINUTE else f"{ms / MINUTE:.1f} min"


def lines_of(events: Sequence[Event], *, writing: bool) -> list[Line]:
    """The steps that the events (without pieces of the answer) tell of; `writing`: some text is there."""
    reading = _Reading()
    for event in events:
        _read(reading, event)
    if reading.thinking and writing:
        reading.thinking.name, reading.thinking.icon = "Write", "pencil"
        reading.thinking.query = "claims bound to quotes while writing"
    if reading.verdicts:
        reading.lines.append(verify_line(reading.verdicts))
    return _with_bars(reading.lines)


def lines_of_steps(steps: Sequence[dict[str, Any]], verdicts: Sequence[str]) -> list[Line]:
    """The same from a turn's row, where only tool calls are kept, one after the other."""
    lines: list[Line] = []
    start = 0
    for step in steps:
        line = _tool_line(step["tool"], step["arguments"])
        line.start, line.ms, line.hits = start, step["ms"], _hits(step["tool"], step["hits"])
        start += step["ms"]
        lines.append(line)
    if verdicts:
        lines.append(verify_line(verdicts))
    return _with_bars(lines)


def verify_line(verdicts: Sequence[str]) -> Line:
    """How many quotes stand on their pages, and how many of those support their claim."""
    found = sum(verdict != Verdict.NO_SOURCE for verdict in verdicts)
    good = sum(verdict == Verdict.VERIFIED for verdict in verdicts)
    quotes = "1 quote" if found == 1 else f"{found} quotes"
    supports = "supports its claim" if good == 1 == found else f"{good} support their claim"
    return Line(
        name="Verify", icon="badge-check", state="" if good == len(verdicts) else "w",
        query=f"{quotes} found on the page, {supports}",
    )  # fmt: skip


def _read(reading: _Reading, event: Event) -> None:
    if event.kind in {TurnStarted.kind, TurnRestarted.kind}:
        reading.begun, reading.lines, reading.calls, reading.verdicts = event.created, [], {}, []
        reading.thinking = None
    if reading.begun is None:
        return
    at = (event.created - reading.begun).total_seconds() * 1000
    match event.kind:
        case RoundStarted.kind:
            data = event.data
            reading.thinking = Line(
                name="Plan", icon="list-checks", query=f"Round {data['round']} of at most {data['rounds']}",
                start=at, state="now",
            )  # fmt: skip
            reading.lines.append(reading.thinking)
        case ToolCalled.kind:
            _end(reading.thinking, at)
            reading.thinking = None
            line = _tool_line(event.data["tool"], event.data["arguments"])
            line.start, line.state = at, "now"
            reading.calls[event.data["call_id"]] = line
            reading.lines.append(line)
        case ToolReturned.kind if event.data["call_id"] in reading.calls:
            line = reading.calls[event.data["call_id"]]
            line.ms, line.state = event.data["ms"], "" if event.data["ok"] else "f"
            line.hits = _hits(event.data["tool"], event.data["hits"])
            if not event.data["ok"]:
                line.query = f"{line.query}: {event.data['summary']}".removeprefix(": ")
        case CitationChecked.kind:
            reading.verdicts.append(event.data["verdict"])
        case AnswerCompleted.kind:
            _end(reading.thinking, at)
        case TurnFinished.kind:
            for line in reading.lines:
                if line.state == "now":
                    _end(line, at)
                    line.state = BROKEN.get(event.data["status"], "")


def _end(line: Line | None, at: float) -> None:
    if line and line.ms is None:
        line.ms, line.state = round(at - line.start), ""


def _tool_line(tool: str, arguments: dict[str, Any]) -> Line:
    name, icon, _ = _known(tool)
    words = [
        value if isinstance(value, str) else ", ".join(map(str, value))
        for value in arguments.values()
        if isinstance(value, str | list)
    ]
    return Line(name=name, icon=icon, query="; ".join(words))


def _known(tool: str) -> tuple[str, str, str]:
    return TOOLS.get(tool, OTHER_TOOL)


def _hits(tool: str, count: int) -> str:
    unit = _known(tool)[2]
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _with_bars(lines: list[Line]) -> list[Line]:
    """Each line's place in the time of the whole."""
    total = max((line.start + (line.ms or 0) for line in lines), default=0)
    for line in lines if total else []:
        if line.ms is None and line.state != "now":
            continue
        length = (line.ms if line.ms is not None else total - line.start) / total * 100
        line.width = min(max(length, NARROWEST), 100)
        line.left = min(line.start / total * 100, 100 - line.width)
    return lines
