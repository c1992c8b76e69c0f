"""What a reader is shown of a page: its image, the image with words marked, a crop around them. Pure."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image, ImageChops

from formats.base.values import Pixels, Rect

MARK = (0xFF, 0xDE, 0x6B)
UNDERLINE = (0xBE, 0x80, 0x10)
CUT = (0xB8, 0xB2, 0xA4)
PAPER = (0xFF, 0xFF, 0xFF)
WHOLE = Rect(x0=0, y0=0, x1=1000, y1=1000)
MARK_MARGIN = 1.5  # around a line's letters, in 1/1000 of the page
PAGE_QUALITY = 48

CROP_BYTES = 25_000
CROP_COLOURS = 16
CROP_EFFORT, CROP_METHOD = 60, 4  # of the compression
CROP_QUALITIES = (70, 55, 40, 25)
METHOD = 2  # of the lossy compression: 3 and 4 take twice the time for 2 % less
LINE_WIDTH = 3  # pixels of an underline
BREAK = 24  # pixels between two parts of a crop, with a dashed line
DASH = 10  # pixels
UPRIGHT = {1: Image.Transpose.ROTATE_270, 3: Image.Transpose.ROTATE_90}  # PIL turns the other way round


def page_image(pixels: Pixels, fmt: str = "webp") -> bytes:
    """The page as a small image file."""
    size = (pixels.width, pixels.height)
    return _encode(Image.frombuffer("RGB", size, pixels.rgb, "raw", "RGB", 0, 1), fmt, PAGE_QUALITY)


def highlight(image: bytes, rects: Sequence[Rect]) -> bytes:
    """The page's image with the rectangles marked as by a yellow pen, in the image's own format."""
    picture = Image.open(BytesIO(image))
    fmt = picture.format or "webp"
    marked = [_within(rect, WHOLE) for rect in rects]
    return _encode(_mark(picture.convert("RGB"), marked), fmt, PAGE_QUALITY)


def crop(
    drawn: Sequence[tuple[Pixels, Rect]],
    marked: Sequence[Rect],
    underlined: Sequence[Rect] = (),
    turns: int = 0,
) -> bytes:
    """WebP of parts of a page one below the other, rectangles of the page in them marked or underlined.

    drawn: each part with its place on the page. turns: quarters clockwise that put the words upright.
    """
    pictures = []
    for pixels, part in drawn:
        picture = Image.frombuffer("RGB", (pixels.width, pixels.height), pixels.rgb, "raw", "RGB", 0, 1)
        picture = _mark(picture, [_within(rect, part) for rect in marked])
        _underline(picture, [_within(rect, part, margin=0) for rect in underlined], turns)
        pictures.append(picture.transpose(UPRIGHT[turns]) if turns else picture)
    return _small(_stack(pictures))


def size(image: bytes) -> tuple[int, int]:
    """Width and height in pixels."""
    return Image.open(BytesIO(image)).size


def _within(rect: Rect, part: Rect, margin: float = MARK_MARGIN) -> Rect:
    """The rectangle, in 1/1000 of the page and that much larger, in 1/1000 of the part."""
    across, down = 1000 / (part.x1 - part.x0), 1000 / (part.y1 - part.y0)
    return Rect(
        x0=(rect.x0 - margin - part.x0) * across,
        y0=(rect.y0 - margin - part.y0) * down,
        x1=(rect.x1 + margin - part.x0) * across,
        y1=(rect.y1 + margin - part.y0) * down,
    )


def _stack(pictures: Sequence[Image.Image]) -> Image.Image:
    if len(pictures) == 1:
        return pictures[0]
    height = sum(picture.height for picture in pictures) + BREAK * (len(pictures) - 1)
    whole = Image.new("RGB", (max(picture.width for picture in pictures), height), PAPER)
    top = 0
    for picture in pictures:
        whole.paste(picture, (0, top))
        top += picture.height + BREAK
        for left in range(0, whole.width if top < height else 0, 2 * DASH):
            whole.paste(CUT, (left, top - BREAK // 2, left + DASH, top - BREAK // 2 + 2))
    return whole


def _small(picture: Image.Image) -> bytes:
    """WebP: print is sharper and half as large without loss in few colours, photographs are not."""
    few = picture.quantize(CROP_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).convert("RGB")
    content = BytesIO()
    few.save(content, "webp", lossless=True, quality=CROP_EFFORT, method=CROP_METHOD)
    best = content.getvalue()
    for quality in CROP_QUALITIES:
        if len(best) <= CROP_BYTES:
            break
        best = min(best, _encode(picture, "webp", quality), key=len)
    return best


def _encode(picture: Image.Image, fmt: str, quality: int) -> bytes:
    content = BytesIO()
    picture.save(content, fmt, quality=quality, method=METHOD)
    return content.getvalue()


def _mark(picture: Image.Image, rects: Sequence[Rect]) -> Image.Image:
    marked = picture.copy()
    for rect in rects:
        left, top, right, bottom = _pixels(picture, rect)
        if left < right and top < bottom:
            part = picture.crop((left, top, right, bottom))
            marked.paste(ImageChops.multiply(part, Image.new("RGB", part.size, MARK)), (left, top))
    return marked


def _underline(picture: Image.Image, rects: Sequence[Rect], turns: int) -> None:
    """Draw on the picture, along the side of each rectangle that will be below when it is upright."""
    for rect in rects:
        left, top, right, bottom = _pixels(picture, rect)
        if turns == 1:
            left, right = right, right + LINE_WIDTH
        elif turns == 3:
            left, right = left - LINE_WIDTH, left
        else:
            top, bottom = bottom, bottom + LINE_WIDTH
        if left < right and top < bottom:
            picture.paste(UNDERLINE, (left, top, right, bottom))


def _pixels(picture: Image.Image, rect: Rect) -> tuple[int, int, int, int]:
    width, height = picture.size
    return (
        max(0, round(rect.x0 * width / 1000)),
        max(0, round(rect.y0 * height / 1000)),
        min(width, round(rect.x1 * width / 1000)),
        min(height, round(rect.y1 * height / 1000)),
    )
