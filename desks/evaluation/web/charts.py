"""Charts as SVG, drawn by the server. Each has a title; the page has its figures as a table too."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from desks.evaluation.models import Kind
from desks.evaluation.reports.comparison import Row
from desks.evaluation.reports.points import Point

KINDS = tuple(Kind)
DOT, LETTER, LINE = 6.0, 6.2, 12.0  # radius of the largest dot; width and height of a letter of a name


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A mean now and before, as a line of a card has them."""

    kind: Kind
    after: float | None
    before: float | None


def _svg(width: int, height: int, title: str, parts: Iterable[SafeString], css: str = "") -> SafeString:
    return format_html(
        '<svg class="ev-svg {}" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>{}</svg>',
        css,
        width,
        height,
        title,
        title,
        format_html_join("", "{}", ((part,) for part in parts)),
    )


def _text(x: float, y: float, text: str, anchor: str = "start", css: str = "") -> SafeString:
    return format_html(
        '<text x="{}" y="{}" text-anchor="{}" class="ax {}">{}</text>',
        f"{x:.1f}",
        f"{y:.1f}",
        anchor,
        css,
        text,
    )


def _line(x1: float, y1: float, x2: float, y2: float, css: str = "grid") -> SafeString:
    points = [f"{value:.1f}" for value in (x1, y1, x2, y2)]
    return format_html('<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>', *points, css)


def _dot(x: float, y: float, radius: float, css: str, title: str = "") -> SafeString:
    inner = format_html("<title>{}</title>", title) if title else ""
    return format_html(
        '<circle cx="{}" cy="{}" r="{}" class="{}">{}</circle>', f"{x:.1f}", f"{y:.1f}", radius, css, inner
    )


def pairs(label: str, lines: Sequence[Pair]) -> SafeString:
    """A line for each kind of question: where the mean is, and where it was."""
    left, right, step = 92.0, 236.0, 24.0
    height = len(lines) * step + 20
    at = lambda value: left + (right - left) * value  # noqa: E731
    is_measured = any(pair.after is not None for pair in lines)
    parts = [_text(at(v), height - 4, f"{v:g}", "middle") for v in (0, 0.5, 1) if is_measured]
    for place, pair in enumerate(lines):
        y = place * step + 12
        parts.append(_text(0, y + 4, str(pair.kind.label), css="name"))
        if pair.after is None:
            parts.append(_text(at(0), y + 4, _("not measured")))
            continue
        parts += [_line(at(v), y - step / 2, at(v), y + step / 2) for v in (0, 0.5, 1)]
        if pair.before is not None:
            parts.append(_line(at(pair.before), y, at(pair.after), y, "span"))
            was = _("was {before}").format(before=f"{pair.before:.2f}")
            parts.append(_dot(at(pair.before), y, 4.2, "was", was))
            parts.append(
                _text(290, y + 4, signed(pair.after - pair.before), "end", way(pair.after - pair.before))
            )
        else:
            parts.append(_text(290, y + 4, f"{pair.after:.2f}", "end"))
        parts.append(_dot(at(pair.after), y, 4.6, "is", f"{pair.after:.2f}"))
    title = _("{metric} by kind of question").format(metric=label)
    return _svg(292, round(height), title, parts)


def sparkline(label: str, values: Sequence[float]) -> SafeString:
    """Of runs that answer in the same way, the oldest first."""
    if len(values) < 2:
        return SafeString("")
    low, high = min(values), max(values)
    room = (high - low) or 1.0
    xs = [2 + 86 * place / (len(values) - 1) for place in range(len(values))]
    ys = [22 - 18 * (value - low) / room for value in values]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    drawn = format_html('<polyline points="{}" class="trend"/>', line)
    return _svg(
        92,
        26,
        _("{metric}, last {n} runs of this variant").format(metric=label, n=len(values)),
        [drawn, _dot(xs[-1], ys[-1], 3, "is")],
        "spark",
    )


def swarm(rows: Sequence[Row], metrics: Sequence[tuple[str, str]]) -> SafeString:
    """The change of each question, a row for each metric; dots that would cover one another are stacked."""
    width, left, right, lane = 776, 130.0, 760.0, 52.0
    changes = {
        name: [(row, change) for row in rows if (change := row.change(name)) is not None]
        for name, _ in metrics
    }
    reach = max((abs(change) for some in changes.values() for _, change in some), default=0.0)
    reach = min(1.0, math.ceil(max(reach, 0.1) * 5) / 5)
    middle = (left + right) / 2
    at = lambda value: middle + (right - left) / 2 * value / reach  # noqa: E731
    height = lane * len(metrics) + 24
    parts = []
    for share in (-1, -0.5, 0, 0.5, 1):
        parts.append(
            _line(at(share * reach), 4, at(share * reach), height - 20, "axis" if share == 0 else "grid")
        )
        parts.append(_text(at(share * reach), height - 4, signed(share * reach) if share else "0", "middle"))
    for place, (name, label) in enumerate(metrics):
        y = lane * place + lane / 2 + 2
        parts.append(_text(0, y + 4, label, css="name"))
        stacks: dict[int, int] = {}
        for row, change in sorted(changes[name], key=lambda pair: (pair[1], pair[0].question.pk)):
            x = at(change)
            slot = round(x / 6)
            count = stacks.get(slot, 0)
            stacks[slot] = count + 1
            offset = ((count + 1) // 2) * 5.4 * (1 if count % 2 else -1)
            offset = max(-lane / 2 + 4, min(lane / 2 - 4, offset))
            title = f"{signed(change)} {row.question.text[:90]}"
            parts.append(_dot(x, y + offset, 2.9, f"k-{row.question.kind}", title))
    return _svg(width, round(height), _("Change per question"), parts)


def scatter(points: Sequence[Point], chosen: int, other: int | None, *, by_money: bool = False) -> SafeString:
    """Quality against the time of a question, or its cost; the scale of the latter is logarithmic."""
    known = [(point, _cost(point, by_money)) for point in points]
    shown = [(point, cost) for point, cost in known if cost and cost > 0]
    if not shown:
        return SafeString("")
    left, right, top, bottom = 44.0, 440.0, 14.0, 196.0
    low_x, high_x = _decade(min(c for _, c in shown), max(c for _, c in shown))
    values = [point.quality for point, _ in shown]
    low_y = max(0.0, math.floor(min(values) * 10 - 0.5) / 10)
    high_y = min(1.0, math.ceil(max(values) * 10 + 0.5) / 10)
    x_of = lambda v: left + (right - left) * (math.log(v / low_x) / math.log(high_x / low_x))  # noqa: E731
    y_of = lambda v: bottom - (bottom - top) * (v - low_y) / ((high_y - low_y) or 1)  # noqa: E731
    parts = []
    for place in range(3):
        level = low_y + (high_y - low_y) * place / 2
        parts += [
            _line(left, y_of(level), right, y_of(level)),
            _text(36, y_of(level) + 4, f"{level:.2f}", "end"),
        ]
    for tick in _ticks(low_x, high_x):
        parts += [_line(x_of(tick), top, x_of(tick), bottom)]
        parts += [_text(x_of(tick), bottom + 18, f"{tick:g}" if by_money else f"{tick:g} s", "middle")]
    dots = [(x_of(cost), y_of(point.quality)) for point, cost in shown]
    taken = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in dots]
    # The chosen run is named first: where there is no room for all names, the table below has them.
    order = sorted(range(len(shown)), key=lambda n: (shown[n][0].run.pk not in (chosen, other), n))
    for place in order:
        run, (x, y) = shown[place][0].run, dots[place]
        css = "is" if run.pk == chosen else "was strong" if run.pk == other else "was"
        title = f"{run}: {run.label}, {shown[place][0].quality:.2f}"
        parts.append(_dot(x, y, DOT if run.pk == chosen else 4.6, css, title))
        name = f"{run.number}: {_short(run.label)}"
        anchor = "end" if x > (left + right) / 2 else "start"
        if (line := _free_line(x, y, len(name) * LETTER, anchor, taken)) is not None:
            parts.append(_text(x, line, name, anchor, "name" if run.pk == chosen else ""))
    told = _("Quality against cost of a question") if by_money else _("Quality against seconds of a question")
    return _svg(456, 220, told, parts)


def _free_line(
    x: float, y: float, width: float, anchor: str, taken: list[tuple[float, float, float, float]]
) -> float | None:
    """Where the name of a dot can stand, as near as it gets: above, below, further off; then it is taken.

    `taken`: left, top, right and bottom of what is there. None where all is full.
    """
    left = x - width if anchor == "end" else x
    for steps in range(8):
        line = y + (-DOT - 3 - steps // 2 * LINE if steps % 2 == 0 else DOT + 2 + LINE + steps // 2 * LINE)
        box = (left, line - LINE, left + width, line)
        if not any(a < box[2] and box[0] < c and b < box[3] and box[1] < d for a, b, c, d in taken):
            taken.append(box)
            return line
    return None


def lines(label: str, series: Mapping[str, Sequence[float | None]], first: str, last: str) -> SafeString:
    """Scores of one question over its last runs."""
    left, right, top, bottom = 28.0, 230.0, 10.0, 110.0
    parts = []
    for level in (0, 0.5, 1):
        y = bottom - (bottom - top) * level
        parts += [_line(left, y, right, y), _text(22, y + 4, f"{level:g}", "end")]
    for place, values in enumerate(series.values()):
        count = max(1, len(values) - 1)
        xy = [
            (left + (right - left) * at / count, bottom - (bottom - top) * value)
            for at, value in enumerate(values)
            if value is not None
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in xy)
        parts.append(format_html('<polyline points="{}" class="s-{}"/>', line, place))
        if xy:
            parts.append(_dot(*xy[-1], 3, f"d-{place}"))
    parts += [_text(left, 128, first), _text(right, 128, last, "end")]
    return _svg(240, 134, label, parts)


def signed(value: float) -> str:
    """With a true minus: "+0.04", "−0.01", "0.00"."""
    text = f"{abs(value):.2f}"
    return text if float(text) == 0 else f"{'+' if value > 0 else '−'}{text}"


def way(change: float) -> str:
    """The class of a change: better, worse, or neither."""
    return "ev-up" if change > 0.005 else "ev-dn" if change < -0.005 else ""


def _cost(point: Point, by_money: bool) -> float | None:
    return point.money if by_money else point.seconds


def _decade(low: float, high: float) -> tuple[float, float]:
    return low / 1.6, high * 1.6


def _ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 with zeros, within the bounds; at most six."""
    found = [
        factor * 10.0**power
        for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        for factor in (1, 2, 5)
        if low <= factor * 10.0**power <= high
    ]
    return found[:: max(1, math.ceil(len(found) / 6))]


def _short(label: str) -> str:
    return label if len(label) <= 30 else f"{label[:29]}…"
