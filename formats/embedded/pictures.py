"""Pictures inside documents, drawn anew by Pillow so that nothing of theirs but the pixels is kept."""

import warnings
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from io import BytesIO

from formats.base.characters import one_line
from formats.rendition.blocks import Image, Note

MOST_PICTURES = 300
MOST_PIXELS = 25_000_000
MOST_PIXELS_OF_JPEG = 64_000_000  # it can be opened at an eighth of its size
LARGEST = 1_600  # pixels of a side
SMALLEST = 24  # pixels; what is smaller is a bullet or a spacer
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
FEW_COLOURS = 256
QUALITY = 80
TOO_MANY = Note(text=f"Only the first {MOST_PICTURES} pictures are shown.", label="Pictures:")


class Pictures:
    """Those of one document. Of vector pictures (SVG, WMF, EMF) only the description is told."""

    def __init__(self) -> None:
        self._kept: dict[bytes, Image | Note | None] = {}  # by the hash of the file

    def block(self, content: bytes, text: str = "", width: float | None = None) -> Image | Note | None:
        """A note instead of a picture that is too large, or the first of too many; None for what else cannot
        be shown. width: in points, as the document says.
        """
        key, text = sha256(content).digest(), one_line(text)
        if key not in self._kept:
            if len(self._kept) > MOST_PICTURES:
                return None
            self._kept[key] = _drawn(content) if len(self._kept) < MOST_PICTURES else TOO_MANY
        drawn = self._kept[key]
        match drawn:
            case Image():
                return replace(drawn, text=text, width=width)
            case Note():
                return replace(drawn, text=". ".join(filter(None, (text, drawn.text))))
        return None


def size_of(content: bytes) -> tuple[int, int]:
    """Width and height of a picture in pixels; 0, 0 of what Pillow cannot open."""
    from PIL import Image as Pillow

    Pillow.MAX_IMAGE_PIXELS = None  # only the head is read
    with suppress(Exception), Pillow.open(BytesIO(content), formats=FORMATS) as opened:
        return opened.size
    return 0, 0


def _drawn(content: bytes) -> Image | Note | None:
    from PIL import Image as Pillow
    from PIL import ImageOps

    Pillow.MAX_IMAGE_PIXELS = None  # asked below
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Pillow.open(BytesIO(content), formats=FORMATS) as opened:
            pixels = opened.width * opened.height
            if pixels > (MOST_PIXELS_OF_JPEG if opened.format == "JPEG" else MOST_PIXELS):
                return Note(text=f"Not shown, it has {pixels // 1_000_000:,} megapixels.", label="Picture:")
            if max(opened.size) < SMALLEST:
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
