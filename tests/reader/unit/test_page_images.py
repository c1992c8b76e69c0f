"""Where a quote stands on the page: its boxes, the page's image with the words marked, the cut-out pages."""

from io import BytesIO

import numpy as np
import pypdf
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from formats import ExtractionError, PageText, pictures
from formats.boxes import boxes_of
from formats.pdf.reader import cut_pages, page_pixels, read_pdf
from formats.pictures import highlight

LEFT_COLUMN = [f"Left line {row} of the first column here" for row in range(30)]
RIGHT_COLUMN = [f"Right line {row} of the second column" for row in range(30)]


@pytest.fixture
def two_columns(tmp_path):
    """A4, two columns of thirty lines; a second page with one line."""
    path = tmp_path / "columns.pdf"
    canvas = Canvas(str(path), pagesize=(600, 800))
    for x, lines in ((50, LEFT_COLUMN), (320, RIGHT_COLUMN)):
        for row, line in enumerate(lines):
            canvas.drawString(x, 700 - 18 * row, line)
    canvas.showPage()
    canvas.drawString(50, 700, "Alone on page two.")
    canvas.save()
    return path


def page_image(path, number, width=1240):
    return pictures.page_image(page_pixels(path, number, width))


def page_of(path, number=1):
    return next(page for page in read_pdf(path) if isinstance(page, PageText) and page.number == number)


def rects_of(page, words, last_words=None):
    start = page.text.index(words)
    last = last_words or words
    end = page.text.index(last, start) + len(last)
    return boxes_of(start, end, page.boxes, len(page.text))


def picture(content):
    return Image.open(BytesIO(content)).convert("RGB")


def marked_share(image, rect):
    """The share of a rectangle's pixels in the colour of the marker."""
    width, height = image.size
    box = (rect.x0 * width / 1000, rect.y0 * height / 1000, rect.x1 * width / 1000, rect.y1 * height / 1000)
    pixels = np.asarray(image.crop(tuple(map(round, box)))).reshape(-1, 3).astype(int)
    return (np.abs(pixels - (0xFF, 0xDE, 0x6B)).max(axis=1) < 40).mean()


def test_words_on_one_line_have_one_box(two_columns):
    page = page_of(two_columns)
    (rect,) = rects_of(page, "line 3 of the first")
    assert 1000 * 50 / 600 < rect.x0 < rect.x1 < 1000 * 320 / 600
    assert rect.y1 == pytest.approx(1000 * (800 - 700 + 18 * 3) / 800, abs=6)
    assert 5 < rect.y1 - rect.y0 < 20


def test_words_on_several_lines_have_a_box_each(two_columns):
    rects = rects_of(page_of(two_columns), "first column here\nLeft line 5", "Left line 7")
    assert len(rects) == 4
    tops = [rect.y0 for rect in rects]
    assert tops == sorted(tops)


def test_words_over_two_columns_leave_the_gap_unmarked(two_columns):
    page = page_of(two_columns)
    start, end = page.text.index("Left line 29"), page.text.index("Right line 1 ")
    rects = boxes_of(min(start, end), max(start, end), page.boxes, len(page.text))
    assert {rect.x1 < 500 for rect in rects} == {True, False}
    assert all(rect.x1 < 500 or rect.x0 > 500 for rect in rects)


@pytest.mark.parametrize("turn", [90, 270])
def test_a_turned_page_has_one_upright_box_a_line(two_columns, tmp_path, turn):
    writer = pypdf.PdfWriter(clone_from=two_columns)
    writer.pages[0].rotate(turn)
    writer.write(tmp_path / "turned.pdf")
    page = page_of(tmp_path / "turned.pdf")
    (rect,) = rects_of(page, "Left line 3 of the first column here")
    assert (rect.y1 - rect.y0) * page.height > 5 * (rect.x1 - rect.x0) * page.width
    assert marked_share(picture(highlight(page_image(tmp_path / "turned.pdf", 1), [rect])), rect) > 0.5


def test_blank_and_empty_spans_have_no_boxes(two_columns):
    page = page_of(two_columns)
    space = page.text.index(" ")
    assert boxes_of(space, space + 1, page.boxes, len(page.text)) == []
    assert boxes_of(5, 5, page.boxes, len(page.text)) == []


def test_page_image_has_the_asked_width_and_a_modest_size(two_columns):
    content = page_image(two_columns, 1, 1240)
    image = Image.open(BytesIO(content))
    assert image.format == "WEBP"
    assert image.width == 1240
    assert image.height == pytest.approx(1240 * 800 / 600, abs=2)
    assert len(content) <= 120_000


def test_highlight_marks_the_words_and_nothing_else(two_columns):
    page, plain = page_of(two_columns), page_image(two_columns, 1)
    (rect,) = rects_of(page, "Left line 3 of the first column here")
    (other,) = rects_of(page, "Left line 9 of the first column here")
    marked = picture(highlight(plain, [rect]))
    assert marked_share(marked, rect) > 0.5
    assert marked_share(marked, other) == 0
    assert marked.size == picture(plain).size
    assert np.asarray(marked.convert("L")).min() < 60  # the letters stay dark


def test_cut_pages_are_just_these(two_columns):
    reader = pypdf.PdfReader(BytesIO(cut_pages(two_columns, [2])))
    assert [page.extract_text().strip() for page in reader.pages] == ["Alone on page two."]
    assert len(pypdf.PdfReader(BytesIO(cut_pages(two_columns, [1, 2]))).pages) == 2


def test_pages_of_a_locked_file_cannot_be_shown(two_columns, tmp_path):
    writer = pypdf.PdfWriter(clone_from=two_columns)
    writer.encrypt("secret", algorithm="AES-256")
    writer.write(tmp_path / "locked.pdf")
    for show in (lambda path: page_image(path, 1), lambda path: cut_pages(path, [1])):
        with pytest.raises(ExtractionError) as caught:
            show(tmp_path / "locked.pdf")
        assert caught.value.code == "encrypted"


def test_pages_of_a_file_locked_against_changes_only_are_shown(two_columns, tmp_path):
    writer = pypdf.PdfWriter(clone_from=two_columns)
    writer.encrypt("", owner_password="owner", algorithm="AES-256")
    writer.write(tmp_path / "open.pdf")
    assert page_image(tmp_path / "open.pdf", 1)
    assert len(pypdf.PdfReader(BytesIO(cut_pages(tmp_path / "open.pdf", [2]))).pages) == 1


def test_a_damaged_file_gives_a_reason(tmp_path):
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 nothing")
    with pytest.raises(ExtractionError) as caught:
        page_image(tmp_path / "bad.pdf", 1)
    assert caught.value.code == "corrupt"


def test_a_page_that_is_not_there_gives_a_reason(two_columns):
    with pytest.raises(ExtractionError):
        page_image(two_columns, 9)


def test_an_endless_page_is_made_smaller(tmp_path):
    canvas = Canvas(str(tmp_path / "long.pdf"), pagesize=(100, 14000))
    canvas.drawString(10, 7000, "x")
    canvas.save()
    width, height = picture(page_image(tmp_path / "long.pdf", 1)).size
    assert width * height <= 16_500_000
    assert height <= 16_383  # the format's own limit
