"""The memory of each process as an SVG: lines over minutes, named at their ends."""

from collections.abc import Sequence
from html import escape

from benchmarks.soak.sampling import Sample

WIDTH, HEIGHT = 900, 420
LEFT, RIGHT, TOP, BOTTOM = 56, 200, 20, 40
MOST_POINTS = 240
LABEL = 15  # pixels between two names
COLOURS = ["#1f6f5c", "#b4512d", "#3b5b92", "#8a6d1f", "#7a3e78", "#4d4d4d", "#2f8ea3", "#a33a4f"]
STYLE = (
    "text { font: 12px sans-serif; fill: #555 } @media (prefers-color-scheme: dark) { text { fill: #bbb } }"
)


def drawn(samples: Sequence[Sample]) -> str:
    step = max(1, len(samples) // MOST_POINTS)
    shown = samples[::step]
    names = sorted({n for s in shown for n in s.memory}, key=lambda n: -shown[-1].memory.get(n, 0))
    end = max(shown[-1].seconds, 1)
    high = rounded(max(value for sample in shown for value in sample.memory.values()))

    def x(seconds: float) -> float:
        return LEFT + seconds / end * (WIDTH - LEFT - RIGHT)

    def y(megabytes: float) -> float:
        return HEIGHT - BOTTOM - megabytes / high * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(v):.1f}" y2="{y(v):.1f}" stroke="#8884"/>'
        f'<text x="{LEFT - 8}" y="{y(v) + 4:.1f}" text-anchor="end">{v:.0f}</text>'
        for v in (high * n / 5 for n in range(6))
    ]
    parts += [
        f'<text x="{x(end * n / 5):.1f}" y="{HEIGHT - 16}" text-anchor="middle">{end * n / 300:.0f}</text>'
        for n in range(6)
    ]
    lowest = HEIGHT * 2.0
    for name, colour in zip(names, COLOURS * 3, strict=False):
        points = " ".join(f"{x(s.seconds):.1f},{y(s.memory[name]):.1f}" for s in shown if name in s.memory)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        last = next(s.memory[name] for s in reversed(shown) if name in s.memory)
        at = y(last) + 4 if lowest > HEIGHT else max(y(last) + 4, lowest + LABEL)
        lowest = at
        label = f"{escape(name)}, {last:.0f} MB"
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{at:.1f}" style="fill: {colour}">{label}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="Megabytes of each process over minutes"><style>{STYLE}</style>'
        f'<text x="{LEFT - 8}" y="12" text-anchor="end">MB</text>'
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 2}" text-anchor="end">minutes</text>{"".join(parts)}</svg>\n'
    )


def rounded(most: float) -> float:
    """The top of the scale."""
    step = 100 if most > 250 else 25
    return (most // step + 1) * step
