"""The program that opens pictures and makes pages of them. Run in the sandbox, never imported."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any, cast

import pi_heif
from PIL import Image, ImageOps, ImageSequence, ImageStat

from formats.base.errors import ExtractionError, gettext_noop, too_large
from formats.image.other_kinds import other_kind
from localization.sentences import worded

SNIFFED = 4096  # bytes
KINDS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF", "HEIF")
PHOTOGRAPHS = ("JPEG", "MPO")  # the latter has a second picture beside the first
MOST_PIXELS = 64_000_000  # of a picture
MOST_PIXELS_OF_JPEG = 256_000_000  # it can be opened at a half or a quarter of its size
LONGEST_SIDE = 40_000
KEPT_PIXELS = 24_000_000  # of a page: a sheet of A4 at 500 dots an inch
LONG_SIDE = 842.0  # points, of A4: what a picture without a believable size is fitted into
SHORT_SIDE = 595.0  # of a picture that is much longer than wide, such as a receipt
MUCH_LONGER = 2.0
USUAL_DENSITY = 96.0  # pixels an inch, of small pictures
BELIEVABLE = (150.0, 1200.0)  # pixels an inch; programs write 72 for want of a better number
QUALITY = 90
REDUCED = 0b1  # in a page of TIFF: a small copy of another one
SUBFILE_TYPE = 254

Frame = tuple[dict[str, Any], bytes]


def run(request: dict[str, Any]) -> Iterator[Frame]:
    """The PDF comes in the last frame; those before are empty and say that the work goes on."""
    from pypdf import PdfWriter

    Image.MAX_IMAGE_PIXELS = None  # checked here, with words
    pi_heif.register_heif_opener(thumbnails=False, decode_threads=1)
    pdf = PdfWriter()
    for count, picture in enumerate(_pictures(request["path"]), 1):
        if count > request["pages"]:
            raise too_large("This picture has more than {n} pages.", n=request["pages"])
        pdf.append(BytesIO(_page(picture)), import_outline=False)
        yield {}, b""
    content = BytesIO()
    pdf.write(content)
    yield {}, content.getvalue()


def _refusal(path: str) -> ExtractionError:
    with open(path, "rb") as file:
        kind = other_kind(file.read(SNIFFED))
    if not kind:
        return ExtractionError(
            "corrupt", gettext_noop("This file is named like a picture but cannot be opened as one.")
        )
    return ExtractionError(
        "unsupported",
        worded(
            "This picture is a file of another kind ({kind}), whatever its name says, and cannot be read "
            "here.",
            kind=kind.partition(" ")[2],
        ),
        gettext_noop("Save it as PNG and add that."),
    )


def _pictures(path: str) -> Iterator[Image.Image]:
    """The pages of a TIFF, the first picture of any other file."""
    try:
        with Image.open(path, formats=KINDS) as file:
            if file.format != "TIFF" or getattr(file, "n_frames", 1) == 1:
                yield _loaded(file)
                return
            frame: Any
            for frame in ImageSequence.Iterator(file):
                if not frame.tag_v2.get(SUBFILE_TYPE, 0) & REDUCED:
                    yield _loaded(frame)
    except Image.UnidentifiedImageError as error:
        raise _refusal(path) from error
    except (OSError, SyntaxError, ValueError, KeyError, EOFError) as error:
        raise ExtractionError("corrupt") from error


def _loaded(picture: Image.Image) -> Image.Image:
    """Upright, opaque, in shades of grey or colours that a PDF can have."""
    _check_size(picture)
    density = _density(picture)
    if picture.format in PHOTOGRAPHS and picture.width * picture.height > KEPT_PIXELS:
        full = picture.width
        picture.draft("RGB", (picture.width // 2, picture.height // 2))
        density *= picture.width / full
    shrunk = 1
    while picture.width * picture.height > KEPT_PIXELS * shrunk**2:
        shrunk += 1
    if shrunk > 1:
        picture = _plain(picture).reduce(shrunk)
        density /= shrunk
    upright = _plain(ImageOps.exif_transpose(picture))
    upright.info = {"density": density}
    return upright


def _check_size(picture: Image.Image) -> None:
    pixels = picture.width * picture.height
    most = MOST_PIXELS_OF_JPEG if picture.format in PHOTOGRAPHS else MOST_PIXELS
    if max(picture.size) > LONGEST_SIDE or pixels > most:
        raise too_large(
            "This picture has {width} × {height} pixels; {n} million are allowed, {side} along a side.",
            width=picture.width,
            height=picture.height,
            n=most // 1_000_000,
            side=LONGEST_SIDE,
            hint=gettext_noop("Save it smaller and add it again."),
        )


def _density(picture: Image.Image) -> float:
    """Pixels an inch; 0 where the file does not say so believably."""
    told = picture.info.get("dpi", (0, 0))
    try:
        density = float(max(told))
    except (TypeError, ValueError, ZeroDivisionError):
        return 0.0
    low, high = BELIEVABLE
    return density if low <= density <= high else 0.0


def _plain(picture: Image.Image) -> Image.Image:
    if picture.mode in ("1", "L", "RGB"):
        return picture
    if picture.mode in ("I", "F") or picture.mode.startswith("I;"):
        return _in_shades(picture)
    if "A" in picture.getbands() or "a" in picture.getbands() or "transparency" in picture.info:
        return _on_paper(picture.convert("RGBA"))
    return picture.convert("RGB")


def _in_shades(picture: Image.Image) -> Image.Image:
    """More shades than 256, whatever their range."""
    picture = picture.convert("F")
    low, high = cast(tuple[float, float], picture.getextrema())
    scale = 255 / max(high - low, 1e-6)
    return picture.point(lambda shade: shade * scale - low * scale).convert("L")


def _on_paper(picture: Image.Image) -> Image.Image:
    """On white, or on black when what is drawn is light: white letters would vanish on white."""
    drawn = picture.getchannel("A")
    statistics = ImageStat.Stat(picture.convert("L"), mask=drawn.point(lambda shade: 255 * (shade > 127)))
    is_light = statistics.count[0] > 0 and statistics.mean[0] > 160
    paper = Image.new("RGBA", picture.size, "black" if is_light else "white")
    return Image.alpha_composite(paper, picture).convert("RGB")


def _page(picture: Image.Image) -> bytes:
    """A PDF of one page."""
    content = BytesIO()
    resolution = picture.info["density"] or _fitting(picture.width, picture.height)
    picture.info = {}
    how = {} if picture.mode == "1" else {"quality": QUALITY}  # black and white loses nothing
    picture.save(content, "PDF", resolution=resolution, **how)
    return content.getvalue()


def _fitting(width: int, height: int) -> float:
    """Pixels an inch at which the picture fits on a sheet of A4; small ones have their usual size."""
    short, long = sorted((width, height))
    inches = SHORT_SIDE / 72 if long > MUCH_LONGER * short else LONG_SIDE / 72
    pixels = short if long > MUCH_LONGER * short else long
    return max(USUAL_DENSITY, pixels / inches)
