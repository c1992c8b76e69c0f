"""What a reader is shown of a page: its image, the image with words marked, a crop around them. Pure."""

from collections.abc import Sequence
from io import BytesIO

import numpy as np
from PIL import Image, ImageChops

from formats.base.values import Pixels
from formats.boxes import Rect

MARK = (0xFF, 0xDE, 0x6B)
MARK_MARGIN = 1.5  # around a line's letters, in 1/1000 of the page
PAGE_QUALITY = 50

CROP_WIDTH = 776
CROP_BYTES = 25_000
CROP_QUALITIES = (70, 55, 40, 25)
CONTEXT = 0.045  # of the page's height, above and below the words
MIN_CROP = 0.45  # of the page's width
MAX_CROP_HEIGHT = 0.75  # of the crop's width
GUTTER = 0.012  # of the page's width; white space that parts two columns
INK = 200  # darker than this is print


def page_image(pixels: Pixels, fmt: str = "webp") -> bytes:
    """The page as a small image file."""
    size = (pixels.width, pixels.height)
    return _encode(Image.frombuffer("RGB", size, pixels.rgb, "raw", "RGB", 0, 1), fmt, PAGE_QUALITY)


def highlight(image: bytes, rects: Sequence[Rect]) -> bytes:
    """The page's image with the rectangles marked as by a yellow pen, in the image's own format."""
    picture = Image.open(BytesIO(image))
    fmt = picture.format or "webp"
    return _encode(_mark(picture.convert("RGB"), rects), fmt, PAGE_QUALITY)


def crop(image: bytes, rects: Sequence[Rect], width: int = CROP_WIDTH) -> bytes:
    """WebP, `width` wide: the rectangles marked, in their whole column, with a few lines above and below.

    image: the page's. Words that fill more than a card are shown from their beginning.
    """
    if not rects:
        raise ValueError("a crop needs at least one rectangle")
    picture = Image.open(BytesIO(image)).convert("RGB")
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
