"""The memory of each process as an SVG: lines over minutes, named at their ends."""

from collections.abc import Sequence

from benchmarks.drawing import document, line, text
from benchmarks.soak.sampling import Sample

WIDTH, HEIGHT = 900, 420
LEFT, RIGHT, TOP, BOTTOM = 56, 200, 20, 40
MOST_POINTS = 240
LABEL = 15  # pixels between two names
COLOURS = ["#1f6f5c", "#b4512d", "#3b5b92", "#8a6d1f", "#7a3e78", "#4d4d4d", "#2f8ea3", "#a33a4f"]


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

    parts = [text(LEFT - 8, 12, "MB", "end"), text(WIDTH - RIGHT, HEIGHT - 2, "minutes", "end")]
    for value in (high * n / 5 for n in range(6)):
        parts += [
            line(LEFT, y(value), WIDTH - RIGHT, y(value)),
            text(LEFT - 8, y(value) + 4, f"{value:.0f}", "end"),
        ]
    parts += [text(x(end * n / 5), HEIGHT - 16, f"{end * n / 300:.0f}", "middle") for n in range(6)]
    lowest = HEIGHT * 2.0
    for name, colour in zip(names, COLOURS * 3, strict=False):
        points = " ".join(f"{x(s.seconds):.1f},{y(s.memory[name]):.1f}" for s in shown if name in s.memory)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        last = next(s.memory[name] for s in reversed(shown) if name in s.memory)
        lowest = y(last) + 4 if lowest > HEIGHT else max(y(last) + 4, lowest + LABEL)
        parts.append(text(WIDTH - RIGHT + 8, lowest, f"{name}, {last:.0f} MB", colour=colour))
    return document(WIDTH, HEIGHT, "Megabytes of each process over minutes", parts)


def rounded(most: float) -> float:
    """The top of the scale."""
    step = 100 if most > 250 else 25
    return (most // step + 1) * step
