"""Pictures of pages for the tests of OCR: a few large words, so that they are read quickly."""

import importlib.util
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen.canvas import Canvas

SIZE = (900, 500)
LINES = (
    "The tenant pays 12,500 EUR a month.",
    "Notice is given in writing.",
    "承租人应当于每月5日前支付租金。",
)


def page(
    lines: Sequence[str] = LINES,
    *,
    size: tuple[int, int] = SIZE,
    letters: int = 36,
    used: ImageFont.FreeTypeFont | None = None,
) -> Image.Image:
    """Black print on white."""
    picture = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        draw.text((60, 60 + 2 * letters * row), line, font=used or font(letters), fill="black")
    return picture


def font_of(package: str, file: str, size: int) -> ImageFont.FreeTypeFont:
    """A font of a package that is installed, which has it in several weights."""
    found = importlib.util.find_spec(package)
    assert found
    assert found.submodule_search_locations
    used = ImageFont.truetype(str(Path(found.submodule_search_locations[0]) / file), size)
    used.set_variation_by_name("Regular")
    return used


def font(size: int) -> ImageFont.FreeTypeFont:
    package = importlib.util.find_spec("noto_cjk_sans_otc")
    assert package
    assert package.submodule_search_locations
    return ImageFont.truetype(
        str(Path(package.submodule_search_locations[0]) / "NotoSansCJK-Regular.ttc"), size
    )


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    content = BytesIO()
    picture.save(content, kind, **options)
    return content.getvalue()


def scan(path: Path, *pictures: Image.Image) -> Path:
    """A PDF of pages that are pictures."""
    first, *others = pictures
    first.save(path, "PDF", save_all=True, append_images=others, resolution=110)
    return path


def mixed(*kinds: str) -> bytes:
    """A PDF of pages of print ("text") and of pictures of print ("picture")."""
    content = BytesIO()
    canvas = Canvas(content, pagesize=(590, 330))
    for number, kind in enumerate(kinds, 1):
        if kind == "text":
            canvas.drawString(
                40, 250, f"Article {number}. The lessor of house {number} keeps the roof in repair."
            )
        else:
            canvas.drawInlineImage(page(), 0, 0, 590, 330)
        canvas.showPage()
    canvas.save()
    return content.getvalue()
