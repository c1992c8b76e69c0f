"""The steps of an answer as a page lists them, each with a bar on the timeline of the whole."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.trace import TimedStep

NARROWEST = 1.5  # percent of the bar
MINUTE = 60_000  # ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A step with its bar: `left` and `width` in percent, no width while its place is not known."""

    step: TimedStep
    left: float = 0
    width: float = 0

    @property
    def took(self) -> str:
        return "" if self.step.ms is None else duration(self.step.ms)

    @property
    def tokens(self) -> str:
        return short(self.step.tokens) if self.step.tokens else ""


def short(tokens: int) -> str:
    """“790”, “2.9k”."""
    return f"{tokens / 1000:.1f}k" if tokens >= 1000 else str(tokens)


def duration(ms: float) -> str:
    """“0.4 ms”, “86 ms”, “2.4 s”, “1.5 min”."""
    if ms < 9.95:
        return f"{ms:.1f} ms" if ms >= 0.1 else "0.1 ms"
    if ms < 1000:
        return f"{ms:.0f} ms"
    return f"{ms / 1000:.1f} s" if ms < MINUTE else f"{ms / MINUTE:.1f} min"


def total(steps: Sequence[TimedStep]) -> float:
    """Milliseconds from the start to the end of the last step, as far as is known."""
    timed = [step for step in steps if step.ms is not None or step.state == "now"]
    return max((step.start + (step.ms or 0) for step in timed), default=0)


def lines(steps: Sequence[TimedStep]) -> list[Line]:
    whole = total(steps)
    return [_line(step, whole) for step in steps]


def _line(step: TimedStep, whole: float) -> Line:
    if not whole or (step.ms is None and step.state != "now"):
        return Line(step=step)
    length = (step.ms if step.ms is not None else whole - step.start) / whole * 100
    width = min(max(length, NARROWEST), 100)
    return Line(step=step, width=width, left=min(step.start / whole * 100, 100 - width))
