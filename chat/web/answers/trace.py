"""The steps of an answer as a page lists them, each with a bar on the timeline of the whole."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from chat.trace import TimedStep
from chat.web.answers.step_words import in_words
from localization.numbers import numeral

NARROWEST = 1.5  # percent of the bar
MINUTE = 60_000  # ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A step with its bar: `left` and `width` in percent, no width while its place is not known."""

    step: TimedStep
    left: float = 0
    width: float = 0

    @property
    def text(self) -> str:
        return in_words(self.step.text)

    @property
    def found(self) -> str:
        return in_words(self.step.found)

    @property
    def took(self) -> str:
        return "" if self.step.ms is None else duration(self.step.ms)

    @property
    def tokens(self) -> str:
        return short(self.step.tokens) if self.step.tokens else ""


def short(tokens: int) -> str:
    """“790”, “2.9k”."""
    return f"{numeral(tokens / 1000, 1)}k" if tokens >= 1000 else str(tokens)


def duration(ms: float) -> str:
    """“0.4 ms”, “86 ms”, “2.4 s”, “1.5 min”."""
    if ms < 9.95:
        return _("{n} ms").format(n=numeral(max(ms, 0.1), 1))
    if ms < 999.5:
        return _("{n} ms").format(n=numeral(ms))
    if ms < MINUTE:
        return _("{n} s").format(n=numeral(ms / 1000, 1))
    return _("{n} min").format(n=numeral(ms / MINUTE, 1))


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
