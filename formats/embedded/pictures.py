"""Pictures inside documents, drawn anew by Pillow so that nothing of theirs but the pixels is kept."""

import warnings
from contextlib import suppress
from io import BytesIO

from formats.base.characters import clean_text
from formats.rendition.blocks import Image

MOST_PICTURES = 300
MOST_PIXELS = 25_000_000
LARGEST = 1_600  # pixels of a side
SMALLEST = 24  # pixels; what is smaller is a bullet or a spacer
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
FEW_COLOURS = 256
QUALITY = 80


class Pictures:
    """Those of one document. Of vector pictures (SVG, WMF, EMF) only the description is told."""

    def __init__(self) -> None:
        self._kept: dict[bytes, Image | None] = {}

    def block(self, content: bytes, text: str = "", width: float | None = None) -> Image | None:
        """None for what cannot be shown. width: in points, as the document says."""
        if content not in self._kept:
            if len(self._kept) >= MOST_PICTURES:
                return None
            self._kept[content] = _drawn(content)
        image = self._kept[content]
        return image and Image(
            content=image.content,
            across=image.across,
            down=image.down,
            text=" ".join(clean_text(text).split()),
            width=width,
        )


def _drawn(content: bytes) -> Image | None:
    from PIL import Image as Pillow
    from PIL import ImageOps

    Pillow.MAX_IMAGE_PIXELS = MOST_PIXELS // 2  # Pillow refuses twice as many
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Pillow.open(BytesIO(content), formats=FORMATS) as opened:
            if opened.width * opened.height > MOST_PIXELS or max(opened.size) < SMALLEST:
                return None
            opened.draft("RGB", (LARGEST, LARGEST))
            picture = ImageOps.exif_transpose(opened).convert("RGBA")
        picture.thumbnail((LARGEST, LARGEST))
        paper = Pillow.new("RGB", picture.size, "white")
        paper.paste(picture, mask=picture.getchannel("A"))
        written = BytesIO()
        if paper.getcolors(FEW_COLOURS):
            paper.save(written, "PNG")
        else:
            paper.save(written, "JPEG", quality=QUALITY)
        return Image(content=written.getvalue(), across=paper.width, down=paper.height)
    return None
