"""What the document reader shows of a page: where words stand on it, and its chunks as blocks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from datasources.models import Document
from formats import ExtractionError
from formats.boxes import Rect, boxes_of
from ingestion.models import Chunk, Page
from reader import page_images
from text import fuzzy_match
from text.normal_form import lower_in_place

LIKE = 85  # of 100; words on a page that are less like the query are not shown
SHORTEST = 4  # characters; shorter queries resemble everything, so only the very words count
MAX_HITS = 500
CONTEXT = 48  # characters shown before and after a place
COLUMN_STEP = 20.0  # in 1/1000 of the page; a line that begins so much higher is in the next column
MARGIN = 3.0  # around a block, in 1/1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Words found: page.text[start:end] of page `number`, and the text around them."""

    number: int
    start: int
    end: int
    before: str
    text: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle on the page's drawing, in points."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A stretch of a page's text; marked says whether it was looked for."""

    text: str
    marked: bool


def find(document: Document, words: str) -> list[Hit]:
    """Every place of the words in reading order; on pages without them, the place most like them."""
    wanted = lower_in_place(words).split()
    if not wanted:
        return []
    rows = list(document.pages.order_by("number").values_list("number", "text"))
    folded = [lower_in_place(text) for _, text in rows]
    pattern = re.compile(r"\s+".join(map(re.escape, wanted)))
    spans = [[match.span() for match in pattern.finditer(text)] for text in folded]
    others = [index for index, found in enumerate(spans) if not found]
    if len("".join(wanted)) >= SHORTEST:
        texts, lowered = [rows[i][1] for i in others], [folded[i] for i in others]
        for match in fuzzy_match.search(words, texts, limit=len(texts), cutoff=LIKE, folded=lowered):
            spans[others[match.index]] = [(match.start, match.end)]
    hits = [_hit(*row, *span) for row, found in zip(rows, spans, strict=True) for span in found]
    return hits[:MAX_HITS]


def _hit(number: int, text: str, start: int, end: int) -> Hit:
    return Hit(
        number=number,
        start=start,
        end=end,
        before=text[max(0, start - CONTEXT) : start],
        text=text[start:end],
        after=text[end : end + CONTEXT],
    )


def runs(text: str, hits: Sequence[Hit]) -> list[Run]:
    """The page's text, cut where the hits begin and end."""
    parts, position = [], 0
    for hit in hits:
        parts.append(Run(text=text[position : hit.start], marked=False))
        parts.append(Run(text=text[hit.start : hit.end], marked=True))
        position = hit.end
    parts.append(Run(text=text[position:], marked=False))
    return [part for part in parts if part.text]


def lines(page: Page, start: int, end: int) -> list[Box]:
    """One box for each line of the page's characters from start to end."""
    return [_box(page, rect) for rect in _rects(page, start, end)]


def blocks(page: Page, chunk: Chunk) -> list[Box]:
    """The chunk's part of the page: one box for each column that it fills."""
    start, end = max(0, chunk.start - page.start), min(len(page.text), chunk.end - page.start)
    joined: list[Rect] = []
    last = None
    for rect in _rects(page, start, end):
        if last is None or rect.y0 < last.y0 - COLUMN_STEP:
            joined.append(rect)
        else:
            joined[-1] = _union(joined[-1], rect)
        last = rect
    return [_box(page, rect, MARGIN) for rect in joined]


def _rects(page: Page, start: int, end: int) -> list[Rect]:
    if not page.boxes or start >= end:
        return []
    return boxes_of(start, end, bytes(page.boxes), len(page.text))


def _union(a: Rect, b: Rect) -> Rect:
    return Rect(x0=min(a.x0, b.x0), y0=min(a.y0, b.y0), x1=max(a.x1, b.x1), y1=max(a.y1, b.y1))


def _box(page: Page, rect: Rect, margin: float = 0.0) -> Box:
    across, down = page.width / 1000, page.height / 1000
    return Box(
        x=round((rect.x0 - margin) * across, 1),
        y=round((rect.y0 - margin) * down, 1),
        width=round((rect.x1 - rect.x0 + 2 * margin) * across, 1),
        height=round((rect.y1 - rect.y0 + 2 * margin) * down, 1),
    )


def can_draw(document: Document, number: int) -> bool:
    """Whether the page's image can be made; it is kept, so the browser's request for it is quick."""
    if not page_images.has_pages(document):
        return False
    try:
        page_images.page_image(document, number)
    except (ExtractionError, OSError, Page.DoesNotExist):
        return False
    return True
