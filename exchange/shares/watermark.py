"""Words laid over a picture, again and again and faintly, so that a copy says whose it was. Pure."""

import io
import math
import re
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from formats.rendition.typesetting import font_folders

SIZE = 20  # pixels of the letters
ACROSS, DOWN = 60, 76  # pixels between two of them
DEGREES = 14
INK = (90, 84, 74, 74)  # with its opacity: the print below stays readable
QUALITY = 62
SIMPLE = 0x0530  # before this letter: Latin, Greek, Cyrillic
_EASTERN = re.compile("[\u1100-\u11ff\u2010-\u2027\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]")


def can_be_written(words: str) -> bool:
    """Whether the fonts have all letters: Latin, Greek, Cyrillic, Chinese, Japanese and Korean."""
    return all(ord(letter) < SIMPLE or _EASTERN.match(letter) for letter in words)


def watermarked(picture: bytes, words: str) -> bytes:
    """The picture as WebP with the words over it, in one line each."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.paste(Image.new("RGB", image.size, INK[:3]), mask=_layer(image.size, words))
    made = io.BytesIO()
    image.save(made, "webp", quality=QUALITY, method=2)
    return made.getvalue()


def _layer(size: tuple[int, int], words: str) -> Image.Image:
    """How much ink there is where: a mask of that size."""
    font = _font(all(ord(letter) < SIMPLE for letter in words))
    side = math.ceil(math.hypot(*size)) + 2 * DOWN
    layer = Image.new("L", (side, side))
    pen = ImageDraw.Draw(layer)
    length = math.ceil(pen.textlength(words, font)) + ACROSS
    for row, top in enumerate(range(0, side, DOWN)):
        for left in range(-(row % 2) * length // 2, side, length):
            pen.text((left, top), words, fill=INK[3], font=font)
    turned = layer.rotate(DEGREES, Image.Resampling.BICUBIC)
    left, top = (side - size[0]) // 2, (side - size[1]) // 2
    return turned.crop((left, top, left + size[0], top + size[1]))


@cache
def _font(simple: bool) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The one that has letters for nearly every script is large, so a small one is taken where it does."""
    pattern = "NotoSans[[]*.ttf" if simple else "NotoSansCJK-Regular.ttc"
    for folder in map(Path, font_folders()):
        for file in folder.rglob(pattern):
            return ImageFont.truetype(file, SIZE)
    return ImageFont.load_default(SIZE)
