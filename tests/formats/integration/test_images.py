"""Pictures as documents: each kind becomes pages that show it upright, whatever its file says and hides."""

import io
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest
from django.utils.translation import override
from PIL import Image, ImageDraw
from pypdf import PdfReader

from formats import DocumentInfo, ExtractionError, Limits, PageText, SourceFile
from formats.base.format import Format
from formats.registry import FORMATS, identify
from jobs.failures import Failure
from localization.stored import told as told_to_reader
from tests.formats.scans import encoded, font, page

# A black square on white, 64 x 32: what SVQ reads such pictures with cannot write them.
HEIC = b64decode(
    "AAAAHGZ0eXBoZWl4AAAAAG1pZjFoZWl4bWlhZgAAAXVtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA"
    "ACJpbG9jAAAAAERAAAEAAQAAAAABmQABAAAAAAAAACQAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt"
    "AAAAAAABAAAA9WlwcnAAAADVaXBjbwAAAHBodmNDAQQIAAAAn/gAAAAAHvAA/Pz4+AAADwNgAAEAF0ABDAH//wQIAAADAJ/4AAAD"
    "AAAeugJAYQABACVCAQEECAAAAwCf+AAAAwAAHsCCBBZbq5Ka5sCAAAAMgAAAAwCEYgABAAZEAcFzwIkAAAATY29scm5jbHgAAQAN"
    "AAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xhcAAAAEAAAAABAAAAIAAAAAEAAAAAAAAAAv///+AAAAACAAAADnBpeGkAAAAA"
    "AQgAAAAYaXBtYQAAAAAAAAABAAEFgQIDBYQAAAAsbWRhdAAAACAoAa4WwPg1zHZsd8NmkXpJVGDnxxZTN+vSCohs92m3cQ=="
)


def source(tmp_path: Path, content: bytes) -> SourceFile:
    path = tmp_path / "file"
    path.write_bytes(content)
    return SourceFile(path=path, derived=tmp_path / "derived")


def form(name: str, content: bytes) -> Format:
    found = identify(name, content)
    assert found
    return found


def pixels(form: Format, file: SourceFile, number: int = 1, width: int = 300) -> np.ndarray:
    drawn = form.render(file, number, width)
    return np.frombuffer(drawn.rgb, dtype="u1").reshape(drawn.height, drawn.width, 3)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("PNG", "a.png"),
        ("JPEG", "a.jpg"),
        ("TIFF", "a.tif"),
        ("WEBP", "a.webp"),
        ("BMP", "a.bmp"),
        ("GIF", "a.gif"),
        ("MPO", "a.jpeg"),
    ],
)
def test_each_kind_is_a_page_that_shows_it(tmp_path: Path, kind: str, name: str) -> None:
    content = encoded(page(), kind)
    file = source(tmp_path, content)
    image = form(name, content)
    info, first = image.read(file)
    assert isinstance(info, DocumentInfo)
    assert isinstance(first, PageText)
    assert (info.pages, first.text, first.readable) == (1, "", True)
    assert first.width / first.height == pytest.approx(900 / 500, abs=0.02)
    assert (pixels(image, file) < 100).mean() > 0.005
    assert len(PdfReader(io.BytesIO(image.cut(file, [1]))).pages) == 1


@pytest.mark.parametrize("name", ["photo.pdf", "photo.txt", "photo.tiff"])
def test_the_content_says_what_a_picture_is(name: str) -> None:
    assert form(name, encoded(page(), "PNG")).mime == "image/png"


def test_a_text_that_begins_like_a_picture_is_a_text() -> None:
    assert form("a.txt", b"BMW builds cars in Munich since 1916.").mime == "text/plain"


def test_all_pages_of_a_fax_are_read_and_small_copies_left_out(tmp_path: Path) -> None:
    pages = [page([f"Page {number}"]).convert("1") for number in (1, 2, 3)]
    content = io.BytesIO()
    pages[0].save(
        content, "TIFF", save_all=True, append_images=pages[1:], compression="group4", dpi=(200, 200)
    )
    file = source(tmp_path, content.getvalue())
    info, *read = form("fax.tif", content.getvalue()).read(file)
    assert isinstance(info, DocumentInfo)
    assert info.pages == len(read) == 3
    assert read[0].width == pytest.approx(900 / 200 * 72)  # type: ignore[union-attr]


def test_a_photograph_is_turned_as_the_camera_says(tmp_path: Path) -> None:
    lying = page().rotate(90, expand=True)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise
    file = source(tmp_path, encoded(lying, "JPEG", exif=exif))
    first = list(form("a.jpg", file.path.read_bytes()).read(file))[1]
    assert isinstance(first, PageText)
    assert first.width > first.height


@pytest.mark.parametrize("ink", ["white", "black"])
def test_letters_on_nothing_are_seen(tmp_path: Path, ink: str) -> None:
    picture = Image.new("RGBA", (300, 100), (0, 0, 0, 0))
    ImageDraw.Draw(picture).text((10, 20), "LEASE", font=font(40), fill=ink)
    file = source(tmp_path, encoded(picture, "PNG"))
    shades = pixels(form("a.png", file.path.read_bytes()), file)
    assert shades.max() - shades.min() > 200


def test_a_photograph_of_a_telephone_is_drawn(tmp_path: Path) -> None:
    drawn = pixels(form("IMG_1.heic", HEIC), source(tmp_path, HEIC), width=64)
    assert drawn.shape[:2] == (32, 64)
    assert drawn[16, 16].max() < 60
    assert drawn[16, 48].min() > 200


def test_of_a_moving_picture_the_first_is_read(tmp_path: Path) -> None:
    content = io.BytesIO()
    first, second = Image.new("L", (64, 32), 0), Image.new("L", (64, 32), 255)
    first.save(content, "GIF", save_all=True, append_images=[second])
    info, _ = form("a.gif", content.getvalue()).read(source(tmp_path, content.getvalue()))
    assert isinstance(info, DocumentInfo)
    assert info.pages == 1
    assert pixels(form("a.gif", content.getvalue()), source(tmp_path, content.getvalue())).max() < 60


def test_sixteen_bit_and_cmyk_pictures_are_drawn(tmp_path: Path) -> None:
    deep = Image.fromarray(np.asarray(page().convert("L"), dtype="u2") * 200)
    for number, (picture, kind) in enumerate([(deep, "PNG"), (page().convert("CMYK"), "JPEG")]):
        (tmp_path / str(number)).mkdir()
        file = source(tmp_path / str(number), encoded(picture, kind))
        shades = pixels(form("a.png", file.path.read_bytes()), file)
        assert shades.max() > 200
        assert shades.min() < 80


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\nnothing more", "corrupt"),
        (encoded(page(), "PNG")[:-4000], "corrupt"),
        (encoded(page(), "JPEG")[:3000], "corrupt"),
        (encoded(Image.new("1", (9000, 9000)), "PNG"), "too_large"),
    ],
)
def test_a_picture_that_cannot_be_read_says_why(tmp_path: Path, content: bytes, code: str) -> None:
    file = source(tmp_path, content)
    with pytest.raises(ExtractionError) as caught:
        list(form("a.png", content).read(file))
    assert caught.value.code == code
    assert caught.value.hint


def test_a_picture_has_no_more_pages_than_are_allowed(tmp_path: Path) -> None:
    content = io.BytesIO()
    page().save(content, "TIFF", save_all=True, append_images=[page()] * 4)
    file = source(tmp_path, content.getvalue())
    with pytest.raises(ExtractionError) as caught:
        list(form("a.tif", content.getvalue()).read(file, limits=Limits(pages=3)))
    assert caught.value.code == "too_large"


def test_what_a_reader_says_of_a_file_is_told_in_other_languages(tmp_path: Path) -> None:
    """It comes out of a process that knows no languages."""
    content = io.BytesIO()
    pages = [Image.new("1", (20, 20), 1)] * 4
    pages[0].save(content, "TIFF", save_all=True, append_images=pages[1:])
    with pytest.raises(ExtractionError) as refused:
        list(
            form("a.tif", content.getvalue()).read(
                source(tmp_path, content.getvalue()), limits=Limits(pages=3)
            )
        )
    kept = Failure(code="too_large", message=refused.value.message, hint=refused.value.hint).columns()
    assert kept["error_message"] == "This picture has more than 3 pages."
    with override("de"):
        told = told_to_reader(kept["error_message"], kept["error_words"]["message"])
        assert told == "Dieses Bild hat mehr als 3 Seiten."


def test_formats_name_the_kinds_of_pictures() -> None:
    assert {"image/png", "image/jpeg", "image/tiff", "image/webp", "image/bmp"} <= {
        each.mime for each in FORMATS
    }
