"""Charts as SVG files, for light and dark pages: what benchmarks.soak and benchmarks.report draw with."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

COLOURS = ("#1f8a70", "#8b8f98", "#c08a2e", "#7a6cc0", "#3f86b5")  # the first one is ours
LIMIT = "#d0452b"
STYLE = (
    "text { font: 12px sans-serif; fill: #555 } .strong { fill: #111; font-weight: 600 }"
    " @media (prefers-color-scheme: dark) { text { fill: #bbb } .strong { fill: #eee } }"
)
LETTER, VALUE = 6.3, 40  # pixels of a letter, and of a number with its margin, roughly
WIDTH, RIGHT, BAR, GAP = 900, 90, 11, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Rows of bars from the left: in each row one of each series that has a value there, and a limit."""

    title: str
    unit: str
    rows: Mapping[str, Mapping[str, float]]  # by row and series
    limits: Mapping[str, float]  # by row
    is_logarithmic: bool = False
    colours: Mapping[str, str] = field(default_factory=dict)  # of series that have one of their own

    @property
    def series(self) -> dict[str, str]:
        """With their colours, in the order in which they first appear."""
        names = dict.fromkeys(name for row in self.rows.values() for name in row)
        return dict(zip(names, COLOURS, strict=False)) | dict(self.colours)


def document(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img"'
        f' aria-label="{escape(title)}"><style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, anchor: str = "start", *, colour: str = "", css: str = "") -> str:
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    styled = f' style="fill: {colour}"' if colour else f' class="{css}"' if css else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{anchored}{styled}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str = "#8884", width: float = 1) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"'
        f' stroke-width="{width:g}"/>'
    )


def bar(x: float, y: float, width: float, colour: str, height: float = BAR) -> str:
    size = f'width="{max(width, 1):.1f}" height="{height:g}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} rx="2" fill="{colour}"/>'


def bars(chart: Bars) -> str:
    series = chart.series
    left = min(490.0, 24 + LETTER * max(len(name) for name in chart.rows))
    x_of = scale(
        [*(v for row in chart.rows.values() for v in row.values()), *chart.limits.values()], chart, left
    )
    parts, y = (
        [text(0, 14, f"{chart.title}, {chart.unit}" if chart.unit else chart.title, css="strong")],
        24.0,
    )
    if len(series) > 1 or chart.limits:
        parts += legend(series, y, has_limits=bool(chart.limits))
        y += 24
    for name, row in chart.rows.items():
        height = len(row) * (BAR + GAP)
        parts.append(text(left - 10, y + height / 2 + 3, name, "end"))
        limit = x_of(chart.limits[name]) if name in chart.limits else None
        for place, (each, value) in enumerate(row.items()):
            top, end = y + place * (BAR + GAP), x_of(value)
            parts.append(bar(left, top, end - left, series[each]))
            beside = limit if limit and 0 <= limit - end < VALUE else end
            parts.append(text(beside + 6, top + BAR - 1, f"{value:,.10g}"))
        if limit:
            parts.append(line(limit, y - 3, limit, y + height, LIMIT, 2))
        y += height + 9
    return document(WIDTH, y, chart.title, parts)


def scale(values: Sequence[float], chart: Bars, left: float) -> "Scale":
    low = min((value for value in values if value > 0), default=1)
    return Scale(
        left=left,
        right=WIDTH - RIGHT,
        low=10 ** math.floor(math.log10(low)) if chart.is_logarithmic else 0,
        high=max(values),
        is_logarithmic=chart.is_logarithmic,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Where a value stands; a logarithmic scale begins at the power of ten below the least."""

    left: float
    right: float
    low: float
    high: float
    is_logarithmic: bool

    def __call__(self, value: float) -> float:
        if self.is_logarithmic:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / ((self.high - self.low) or 1)
        return self.left + share * (self.right - self.left)


def legend(series: Mapping[str, str], y: float, *, has_limits: bool) -> list[str]:
    parts, x = [], 0.0
    for name, colour in series.items() if len(series) > 1 else ():
        parts += [bar(x, y, 11, colour), text(x + 16, y + BAR - 1, name)]
        x += 36 + LETTER * len(name)
    if has_limits:
        parts += [line(x + 5, y - 2, x + 5, y + BAR + 2, LIMIT, 2), text(x + 14, y + BAR - 1, "limit")]
    return parts
