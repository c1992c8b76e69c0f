"""Draws pages upright that are sideways or upside down in their file."""

from PIL import Image

from formats.base.format import Format
from formats.base.values import Limits, Pixels, Rect, SourceFile
from ingestion.models import Page

LIMITS = Limits(page_seconds=20)
_WHOLE = Rect(x0=0, y0=0, x1=1000, y1=1000)
# PIL turns the other way round.
_CLOCKWISE = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_90}


def draw(form: Format, file: SourceFile, page: Page, width: int, part: Rect | None = None) -> Pixels:
    """A page, or a part of it as it lies upright, about `width` pixels wide. Raises ExtractionError."""
    if not page.quarter_turns:
        return form.render(file, page.number, width, part=part, limits=LIMITS)
    part = part or _WHOLE
    if page.quarter_turns % 2:
        across, down = (part.x1 - part.x0) * page.width, (part.y1 - part.y0) * page.height
        width = max(1, round(width * down / max(across, 1e-6)))
    drawn = form.render(file, page.number, width, part=in_file(part, page.quarter_turns), limits=LIMITS)
    picture = Image.frombuffer("RGB", (drawn.width, drawn.height), drawn.rgb, "raw", "RGB", 0, 1)
    picture = picture.transpose(_CLOCKWISE[page.quarter_turns])
    return Pixels(width=picture.width, height=picture.height, rgb=picture.tobytes())


def in_file(part: Rect, turns: int) -> Rect:
    """Where a part of the turned page lies on the page of the file."""
    match turns % 4:
        case 1:
            return Rect(x0=part.y0, y0=1000 - part.x1, x1=part.y1, y1=1000 - part.x0)
        case 2:
            return Rect(x0=1000 - part.x1, y0=1000 - part.y1, x1=1000 - part.x0, y1=1000 - part.y0)
        case 3:
            return Rect(x0=1000 - part.y1, y0=part.x0, x1=1000 - part.y0, y1=part.x1)
    return part
