"""Presentations: a page a slide in reading order, positions kept, notes below, hidden ones named."""

import io
import zlib

import numpy as np
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from formats.slides.format import SLIDES
from tests.formats.reading import pages_of


def presentation():
    made = Presentation()
    first = made.slides.add_slide(made.slide_layouts[5])
    first.shapes.title.text = "Fees of 2025"
    for left, top, text in ((5, 5, "Below right."), (5, 2, "Above right."), (0.5, 2, "Above left.")):
        first.shapes.add_textbox(Inches(left), Inches(top), Inches(3), Inches(1)).text_frame.text = text
    first.notes_slide.notes_text_frame.text = "Say that fees are net."
    second = made.slides.add_slide(made.slide_layouts[6])
    table = second.shapes.add_table(2, 2, Inches(1), Inches(1), Inches(6), Inches(1)).table
    for place, text in enumerate(("Item", "Fee", "Rent", "1,200")):
        table.cell(place // 2, place % 2).text = text
    second._element.set("show", "0")
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def test_slides_are_read_as_they_are_seen(tmp_path):
    first, second = pages_of(SLIDES, presentation(), tmp_path)
    assert first.text.split("\n\n") == [
        "Fees of 2025",
        "Above left.",
        "Above right.",
        "Below right.",
        "Notes: Say that fees are net.",
    ]
    assert (second.text, second.address) == ("Item\tFee\nRent\t1,200", "Slide 2")
    assert first.address == "Slide 1"


def test_a_table_is_as_wide_as_on_its_slide(tmp_path):
    page = pages_of(SLIDES, presentation(), tmp_path)[1]
    boxes = np.frombuffer(zlib.decompress(page.boxes), dtype="<u2").reshape(-1, 4) / 65535
    item, rent, fee = (boxes[page.text.index(word)] for word in ("Item", "Rent", "1,200"))
    across = 720 / page.width  # of the page that is the slide, ten inches wide
    assert (fee[0] - rent[0]) / across > 0.25, "six inches for two columns"
    assert (item[3] - item[1]) * page.height > 9, "print of 9 points has capitals of 6.5"


def test_a_slide_that_is_a_picture_is_told_by_its_number(tmp_path):
    made, picture = Presentation(), io.BytesIO()
    Image.new("RGB", (60, 40), "navy").save(picture, "PNG")
    for text in ("First.", "", "Third."):
        slide = made.slides.add_slide(made.slide_layouts[6])
        if text:
            slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame.text = text
        else:
            slide.shapes.add_picture(picture, Inches(1), Inches(1))
    written = io.BytesIO()
    made.save(written)
    pages = pages_of(SLIDES, written.getvalue(), tmp_path)
    assert [(page.text, page.address) for page in pages] == [
        ("First.", "Slide 1"),
        ("", "Slide 2"),
        ("Third.", "Slide 3"),
    ]


def test_one_bad_value_costs_no_slide(tmp_path):
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    for text in ("Due on Monday.", "Fee"):
        slide.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1)).text_frame.text = text
    slide.shapes[0]._element.spPr.xfrm.off.set("x", "far")
    slide.shapes[1]._element.txBody.p_lst[0].get_or_add_pPr().set("lvl", "deep")
    group = slide.shapes.add_group_shape([slide.shapes.add_textbox(0, 0, 9, 9)])
    group.shapes[0].text_frame.text = "In a group"
    group._element.grpSpPr.xfrm.find(".//{*}chOff").set("x", "\u00b2")
    written = io.BytesIO()
    made.save(written)
    (page,) = pages_of(SLIDES, written.getvalue(), tmp_path)
    assert all(words in page.text for words in ("Due on Monday.", "Fee", "In a group"))


def test_positions_are_kept(tmp_path):
    page = pages_of(SLIDES, presentation(), tmp_path)[0]
    boxes = np.frombuffer(zlib.decompress(page.boxes), dtype="<u2").reshape(-1, 4) / 65535

    def corner(words):
        return boxes[page.text.index(words)][:2]

    left, right, below = corner("Above left"), corner("Above right"), corner("Below right")
    assert left[0] < 0.2 < 0.5 < right[0]
    assert abs(right[0] - below[0]) < 0.01
    assert abs(left[1] - right[1]) < 0.01 < below[1] - right[1] - 0.2
    assert corner("Notes:")[1] > below[1]
