"""What is damaged in a file costs that part; rubbish behind the head of a format is refused."""

import io
import os
import zipfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation

from benchmarks.office_files import docx, paragraph
from formats import ExtractionError, SourceFile
from formats.registry import SUFFIXES, identify
from formats.slides.format import SLIDES
from formats.word.format import WORD
from tests.formats.reading import text_of

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def picture() -> bytes:
    drawn = io.BytesIO()
    Image.effect_noise((300, 200), 50).save(drawn, "PNG")
    return drawn.getvalue()


def changed(content: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """An archive with its parts changed, or left out."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            part = change(name, old.read(name))
            if part is not None:
                new.writestr(name, part)
    return made.getvalue()


def with_broken_sum(content: bytes) -> bytes:
    """A letter of the first picture is not as it was packed."""
    content = changed(content, lambda _, part: part)
    broken = bytearray(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        part = next(each for each in archive.infolist() if "media" in each.filename)
    broken[part.header_offset + 30 + len(part.filename) + 1000] ^= 0xFF
    return bytes(broken)


@pytest.mark.parametrize(
    "damage",
    [
        with_broken_sum,
        lambda deck: changed(deck, lambda name, part: part[:500] if "media" in name else part),
        lambda deck: changed(deck, lambda name, part: b"" if "media" in name else part),
        lambda deck: changed(deck, lambda name, part: None if "media" in name else part),
        lambda deck: changed(deck, lambda _, part: part.replace(b'Extension="png"', b'Extension="xyz"')),
    ],
    ids=["broken sum", "cut", "empty", "missing", "of an unknown kind"],
)
def test_a_damaged_picture_costs_no_slide(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Results"
    slide.shapes.add_picture(io.BytesIO(picture()), 0, 0)
    saved = io.BytesIO()
    presentation.save(saved)
    assert text_of(SLIDES, damage(saved.getvalue()), tmp_path) == "Results"


def test_a_damaged_picture_costs_no_paragraph(tmp_path: Path) -> None:
    shown = '<w:p><w:r><w:drawing><a:blip r:embed="r1"/></w:drawing></w:r></w:p>'
    content = docx(
        paragraph("Results") + shown, {"word/media/a.png": picture()}, ("r1", "image", "media/a.png")
    )
    assert text_of(WORD, with_broken_sum(content), tmp_path) == "Results"


RUBBISH = [OLE + b"words and more words " * 9, OLE + os.urandom(3000), OLE, b"PK\x03\x04 and words " * 9]


def test_rubbish_behind_the_head_of_another_format_is_no_text(tmp_path: Path) -> None:
    """All of it with one name after the other: the readers of few formats stand by at once."""
    for suffix, (number, content) in product(SUFFIXES, enumerate(RUBBISH)):
        form = identify(f"file{suffix}", content)
        assert form
        path = tmp_path / f"file{number}{suffix}"
        path.write_bytes(content)
        with pytest.raises(ExtractionError) as error:
            list(form.read(SourceFile(path=path, derived=tmp_path / f"derived{number}{suffix}")))
        assert error.value.code in ("corrupt", "unsupported", "encrypted"), (suffix, content[:40])
