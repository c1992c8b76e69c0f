"""Pictures inside documents: photographs of phones are shown, what is too large or too many is said."""

import io
import tracemalloc

from PIL import Image as Pillow

from formats.embedded import pictures
from formats.embedded.pictures import Pictures
from formats.rendition.blocks import Image, Note


def picture(kind, size, colour="red"):
    written = io.BytesIO()
    Pillow.new("L" if kind == "JPEG" else "1", size).save(written, kind)
    return written.getvalue() + colour.encode()


def test_a_photograph_of_a_phone_is_shown():
    drawn = Pictures().block(picture("JPEG", (8_000, 4_000)), "The hall")
    assert isinstance(drawn, Image)
    assert (drawn.across, drawn.down, drawn.text) == (1_600, 800, "The hall")


def test_what_is_too_large_or_too_many_is_said(monkeypatch):
    monkeypatch.setattr(pictures, "MOST_PICTURES", 2)
    shown = Pictures()
    large = shown.block(picture("PNG", (8_000, 4_000)), "A plan")
    assert large == Note(label="Picture:", text="A plan. Not shown, it has 32 megapixels.")
    assert isinstance(shown.block(picture("PNG", (40, 40))), Image)
    third, fourth = (shown.block(picture("PNG", (40, 40), colour)) for colour in ("blue", "green"))
    assert isinstance(third, Note)
    assert fourth is None


def test_files_of_pictures_are_not_kept():
    shown = Pictures()
    tracemalloc.start()
    for number in range(20):
        shown.block(picture("PNG", (40, 40), f"{number} " * 300_000))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 2_000_000
