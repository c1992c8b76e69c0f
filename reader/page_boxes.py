"""Rectangles on a page's drawing: the lines of some words, the blocks of a chunk."""

from dataclasses import dataclass

from formats.base.values import Rect
from formats.boxes import boxes_of
from ingestion.models import Chunk, Page

COLUMN_STEP = 20.0  # in 1/1000 of the page; a line that begins so much higher is in the next column
MARGIN = 3.0  # around a block, in 1/1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle on a page's drawing, in the drawing's units."""

    x: float
    y: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return round(self.y + self.height, 1)


def scaled(rect: Rect, *, width: float = 1000, height: float = 1000, margin: float = 0.0) -> Box:
    """The rectangle, in 1/1000 of the page and that much larger all around, on a drawing of that size."""
    across, down = width / 1000, height / 1000
    return Box(
        x=round((rect.x0 - margin) * across, 1),
        y=round((rect.y0 - margin) * down, 1),
        width=round((rect.x1 - rect.x0 + 2 * margin) * across, 1),
        height=round((rect.y1 - rect.y0 + 2 * margin) * down, 1),
    )


def lines(page: Page, start: int, end: int) -> list[Box]:
    """One box for each line of the page's characters from start to end, in points."""
    return [scaled(rect, width=page.width, height=page.height) for rect in _rects(page, start, end)]


def blocks(page: Page, chunk: Chunk) -> list[Box]:
    """The chunk's part of the page: one box for each column that it fills, in points."""
    start, end = max(0, chunk.start - page.start), min(len(page.text), chunk.end - page.start)
    joined: list[Rect] = []
    last = None
    for rect in _rects(page, start, end):
        if last is None or rect.y0 < last.y0 - COLUMN_STEP:
            joined.append(rect)
        else:
            joined[-1] = _union(joined[-1], rect)
        last = rect
    return [scaled(rect, width=page.width, height=page.height, margin=MARGIN) for rect in joined]


def _rects(page: Page, start: int, end: int) -> list[Rect]:
    if not page.boxes or start >= end:
        return []
    return boxes_of(start, end, bytes(page.boxes), len(page.text))


def _union(a: Rect, b: Rect) -> Rect:
    return Rect(x0=min(a.x0, b.x0), y0=min(a.y0, b.y0), x1=max(a.x1, b.x1), y1=max(a.y1, b.y1))
