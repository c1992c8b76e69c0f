"""Verdicts as a bar: widths for an SVG of 100 by 1, drawn by compliance/_bar.html."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from desks.compliance.models import Verdict
from localization.casing import within_a_sentence
from localization.lists import joined

ORDER = (Verdict.COVERED, Verdict.PARTIAL, Verdict.MISSING, Verdict.TO_JUDGE, Verdict.NOT_APPLICABLE)
LOOKS = {
    Verdict.COVERED: ("ok", "circle-check"),
    Verdict.PARTIAL: ("warn", "circle-dot"),
    Verdict.MISSING: ("bad", "circle-x"),
    Verdict.TO_JUDGE: ("judge", "eye"),
    Verdict.NOT_APPLICABLE: ("na", "minus"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """`x` and `width` in hundredths of the bar."""

    x: float
    width: float
    look: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    segments: tuple[Segment, ...]
    words: str  # for who does not see it


def bar_of(counts: Mapping[str, int]) -> Bar:
    total = sum(counts.values()) or 1
    segments: list[Segment] = []
    at = 0.0
    for verdict in ORDER:
        width = 100 * counts.get(verdict, 0) / total
        if width:
            segments.append(Segment(x=round(at, 2), width=round(width, 2), look=LOOKS[verdict][0]))
        at += width
    told = [f"{counts[one]} {within_a_sentence(one.label)}" for one in ORDER if counts.get(one)]
    if unchecked := counts.get("unchecked"):
        told.append(_("{n} not checked").format(n=unchecked))
    return Bar(segments=tuple(segments), words=joined(told))
