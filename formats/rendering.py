"""A citation's place as a reader sees it: boxes on the page, the page's image, a crop around the words,
the pages.

Pure functions over files and bytes. Documents may be hostile, so every PDF is opened in a child process.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops

from formats.base import Limits
from formats.pdf.reader import cut_pages, page_pixels

__all__ = ["Rect", "boxes_of", "crop", "crop_page", "cut_pages", "highlight", "page_image"]

MARK = (0xFF, 0xDE, 0x6B)
MARK_MARGIN = 1.5  # around a line's letters, in 1/1000 of the page
PAGE_WIDTH = 1240
PAGE_QUALITY = 50
RENDER_LIMITS = Limits(page_seconds=20)

LINE_GAP = 50.0  # between two letters of one line, in 1/1000 of the page; a wider gap begins a new rectangle
LINE_OVERLAP = 0.4  # of the lower of two boxes; less puts them on different lines

CROP_WIDTH = 776
CROP_BYTES = 25_000
CROP_QUALITIES = (70, 55, 40, 25)
CROP_SOURCE_WIDTH = 1654  # 200 dots an inch on A4, so that one column still fills the crop sharply
CONTEXT = 0.045  # of the page's height, above and below the words
MIN_CROP = 0.45  # of the page's width
MAX_CROP_HEIGHT = 0.75  # of the crop's width
GUTTER = 0.012  # of the page's width; white space that parts two columns
INK = 200  # darker than this is print


@dataclass(frozen=True, slots=True, kw_only=True)
class Rect:
    """In 1/1000 of the displayed page's width and height, origin top left."""

    x0: float
    y0: float
    x1: float
    y1: float


def boxes_of(start: int, end: int, page_boxes: bytes, n_chars: int) -> list[Rect]:
    """One tight rectangle for each line of the characters start to end of a page, in reading order.

    page_boxes: as in PageText.boxes, for a page of `n_chars` characters. Characters without ink are skipped.
    """
    boxes = np.frombuffer(zlib.decompress(page_boxes), dtype="<u2").reshape(n_chars, 4)[max(0, start) : end]
    inked = boxes[boxes.any(axis=1)] / 65.535
    if _runs_vertically(inked):
        return [Rect(x0=y0, y0=x0, x1=y1, y1=x1) for x0, y0, x1, y1 in _lines(inked[:, [1, 0, 3, 2]])]
    return [Rect(x0=x0, y0=y0, x1=x1, y1=y1) for x0, y0, x1, y1 in _lines(inked)]


def page_image(pdf_path: Path, number: int, width_px: int = PAGE_WIDTH, fmt: str = "webp") -> bytes:
    """Page `number` (from 1), `width_px` wide, less for a page too long for that. Raises ExtractionError."""
    return _encode(_render(pdf_path, number, width_px), fmt, PAGE_QUALITY)


def highlight(image: bytes, rects: Sequence[Rect]) -> bytes:
    """The page's image with the rectangles marked as by a yellow pen, in the image's own format."""
    picture = Image.open(BytesIO(image))
    fmt = picture.format or "webp"
    return _encode(_mark(picture.convert("RGB"), rects), fmt, PAGE_QUALITY)


def crop(image: bytes, rects: Sequence[Rect], width: int = CROP_WIDTH) -> bytes:
    """WebP, `width` wide: the rectangles marked, in their whole column, with a few lines above and below.

    image: the page's. Words that fill more than a card are shown from their beginning.
    """
    return _crop(Image.open(BytesIO(image)).convert("RGB"), rects, width)


def crop_page(pdf_path: Path, number: int, rects: Sequence[Rect], width: int = CROP_WIDTH) -> bytes:
    """As `crop`, from the PDF itself and therefore sharper. Raises ExtractionError."""
    return _crop(_render(pdf_path, number, CROP_SOURCE_WIDTH), rects, width)


def _runs_vertically(inked: NDArray[np.float64]) -> bool:
    """Whether the text runs down or up the displayed page, judged by the steps from letter to letter."""
    centres = (inked[:, :2] + inked[:, 2:]) / 2
    steps = np.abs(np.diff(centres, axis=0))
    return len(steps) > 1 and bool(np.median(steps[:, 1]) > np.median(steps[:, 0]))


def _lines(boxes: NDArray[np.float64]) -> list[tuple[float, float, float, float]]:
    lines: list[tuple[float, float, float, float]] = []
    for x0, y0, x1, y1 in boxes.tolist():
        if lines:
            left, top, right, bottom = lines[-1]
            overlap = min(bottom, y1) - max(top, y0)
            gap = max(left, x0) - min(right, x1)
            if overlap > LINE_OVERLAP * min(bottom - top, y1 - y0) and gap < LINE_GAP:
                lines[-1] = (min(left, x0), min(top, y0), max(right, x1), max(bottom, y1))
                continue
        lines.append((x0, y0, x1, y1))
    return lines


def _render(pdf_path: Path, number: int, width: int) -> Image.Image:
    wide, high, pixels = page_pixels(pdf_path, number, width, limits=RENDER_LIMITS)
    return Image.frombuffer("RGB", (wide, high), pixels, "raw", "RGB", 0, 1)


def _encode(picture: Image.Image, fmt: str, quality: int) -> bytes:
    content = BytesIO()
    picture.save(content, fmt, quality=quality, method=3)
    return content.getvalue()


def _mark(picture: Image.Image, rects: Sequence[Rect]) -> Image.Image:
    marked = picture.copy()
    for rect in rects:
        left, top, right, bottom = _pixels(picture, rect)
        if left < right and top < bottom:
            part = picture.crop((left, top, right, bottom))
            marked.paste(ImageChops.multiply(part, Image.new("RGB", part.size, MARK)), (left, top))
    return marked


def _pixels(picture: Image.Image, rect: Rect) -> tuple[int, int, int, int]:
    width, height = picture.size
    return (
        max(0, round((rect.x0 - MARK_MARGIN) * width / 1000)),
        max(0, round((rect.y0 - MARK_MARGIN) * height / 1000)),
        min(width, round((rect.x1 + MARK_MARGIN) * width / 1000)),
        min(height, round((rect.y1 + MARK_MARGIN) * height / 1000)),
    )


def _crop(picture: Image.Image, rects: Sequence[Rect], width: int) -> bytes:
    if not rects:
        raise ValueError("a crop needs at least one rectangle")
    spots = np.array([_pixels(picture, rect) for rect in rects])
    context = round(CONTEXT * picture.height)
    top = max(0, int(spots[:, 1].min()) - context)
    bottom = min(picture.height, int(spots[:, 3].max()) + context)
    left, right = _column(picture, int(spots[:, 0].min()), int(spots[:, 2].max()), top, bottom)
    bottom = min(bottom, top + round((right - left) * MAX_CROP_HEIGHT))
    part = _mark(picture, rects).crop((left, top, right, bottom))
    part = part.resize((width, max(1, round(part.height * width / part.width))), Image.Resampling.LANCZOS)
    for quality in CROP_QUALITIES:
        content = _encode(part, "webp", quality)
        if len(content) <= CROP_BYTES:
            break
    return content


def _column(picture: Image.Image, left: int, right: int, top: int, bottom: int) -> tuple[int, int]:
    """The words' left and right edge, moved out to the next white gutter, and to a width fit to be read."""
    brightness = np.asarray(picture.crop((0, top, picture.width, bottom)).convert("L"))
    inked = np.any(brightness < INK, axis=0)
    gutter = max(2, round(GUTTER * picture.width))
    while left > 0 and inked[max(0, left - gutter) : left].any():
        left -= 1
    while right < picture.width and inked[right : right + gutter].any():
        right += 1
    missing = round(MIN_CROP * picture.width) - (right - left)
    margin = max(gutter, -(-missing // 2))
    return max(0, left - margin), min(picture.width, right + margin)
