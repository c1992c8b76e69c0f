"""Thresholds that guard: what a run must reach, as people's own CI asks for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from desks.evaluation.models import Kind
from desks.evaluation.reports.catalogue import BY_NAME
from desks.evaluation.reports.summary import EVERY, Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """`kind` is one of Kind, or "all"."""

    metric: str
    kind: str
    least: float

    @classmethod
    def parse(cls, text: str) -> Self:
        """ "adherence=0.97", "none.refused=0.8". Raises ValidationError."""
        name, _, value = text.partition("=")
        kind, _, metric = name.strip().rpartition(".")
        kind = kind or EVERY
        try:
            least = float(value)
        except ValueError:
            least = -1.0
        if metric not in BY_NAME or kind not in (EVERY, *Kind.values) or not 0 <= least <= 1:
            raise ValidationError(
                gettext(
                    "“{text}” is not a threshold. Write METRIC=VALUE, as adherence=0.97 or "
                    "none.refused=0.8; the metrics are {names}."
                ).format(text=text[:80], names=", ".join(BY_NAME)),
                code="threshold",
            )
        return cls(metric=metric, kind=kind, least=least)


def parse_all(text: str) -> list[Threshold]:
    """Several with commas between them; none is none. Raises ValidationError."""
    return [Threshold.parse(part) for part in text.split(",") if part.strip()]


def failures(summary: Summary, thresholds: Sequence[Threshold]) -> list[str]:
    """A line for each that is not reached. What was not measured is not reached either."""
    lines = []
    for each in thresholds:
        told = summary.mean(each.metric, each.kind)
        name = BY_NAME[each.metric].label + ("" if each.kind == EVERY else f", {Kind(each.kind).label}")
        if told is None:
            lines.append(f"{summary.run}: {name} was not measured; {each.least:g} is needed.")
        elif told.mean < each.least:
            lines.append(f"{summary.run}: {name} is {told.mean:.3f}, below {each.least:g}.")
    if summary.answered < summary.asked and thresholds:
        lines.append(f"{summary.run}: {summary.answered} of {summary.asked} questions were asked.")
    if summary.failed and thresholds:
        lines.append(f"{summary.run}: {summary.failed} of {summary.asked} questions failed.")
    return lines
