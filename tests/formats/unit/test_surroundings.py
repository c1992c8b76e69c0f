"""The crop of a page around marked words: large enough to read, their column alone, and no blank bands."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from formats import PageText, pictures
from formats.base.values import Rect
from formats.boxes import boxes_of
from formats.pdf.reader import page_pixels, read_pdf
from formats.surroundings import Surroundings, surroundings

CARD = 708  # CSS pixels
YELLOW = (0xFF, 0xDE, 0x6B)
MINUS = "the total was lower than in the year before, as the cost of goods rose by far more than sales did"


class Drawing:
    """A PDF of one page; lines are written in the order in which they are read."""

    def __init__(self, path, width=595, height=842):
        self.path, self.height = path, height
        self.canvas = Canvas(str(path), pagesize=(width, height))

    def lines(self, texts, *, x=72, top=100, pitch=12.5, size=10):
        self.canvas.setFont("Times-Roman", size)
        for row, text in enumerate(texts):
            self.canvas.drawString(x, self.height - top - row * pitch, text)
        return self

    def page(self):
        self.canvas.save()
        return next(page for page in read_pdf(self.path) if isinstance(page, PageText))


def rects_of(page, words, last=None):
    start = page.text.index(words)
    end = page.text.index(last, start) + len(last) if last else start + len(words)
    return boxes_of(start, end, page.boxes, len(page.text))


def around(page, words, last=None) -> Surroundings:
    return surroundings(rects_of(page, words, last), page.text, page.boxes, page.width, page.height)


def cropped(path, page, words, last=None):
    """The crop as pixels, (height, width, 3), and CSS pixels a point."""
    rects, shown = rects_of(page, words, last), around(page, words, last)
    scale = shown.scale(CARD)
    drawn = [
        (page_pixels(path, 1, round((part.x1 - part.x0) / 1000 * page.width * scale * 2), part=part), part)
        for part in shown.parts
    ]
    content = pictures.crop(drawn, rects, (), shown.quarters)
    assert len(content) <= 25_000
    return np.asarray(Image.open(BytesIO(content)).convert("RGB")).astype(int), scale


def words_in(page, shown):
    """The page's lines whose middle is shown."""
    inside = []
    for line in filter(str.strip, page.text.split("\n")):
        (rect, *_) = rects_of(page, line.strip())
        x, y = rect.x0 + 1, (rect.y0 + rect.y1) / 2
        if any(part.x0 <= x <= part.x1 and part.y0 <= y <= part.y1 for part in shown.parts):
            inside.append(line.strip())
    return inside


def blank_bands(pixels):
    """Heights of the runs of rows without any print, in pixels."""
    inked = (pixels.min(axis=2) < 200).any(axis=1) | is_yellow(pixels).any(axis=1)
    return [len(run) for run in "".join("x" if row else " " for row in inked).split("x") if run]


def is_yellow(pixels):
    return np.abs(pixels - YELLOW).max(axis=2) < 40


def paragraphs(count, words="of the agreement between the two parties of this contract"):
    return [f"Line {row} {words}" for row in range(count)]


def test_ten_point_print_is_at_least_twelve_pixels_high_and_fills_the_card(tmp_path):
    page = Drawing(tmp_path / "a.pdf").lines([f"{row} {MINUS}" for row in range(40)]).page()
    pixels, scale = cropped(tmp_path / "a.pdf", page, f"20 {MINUS}")
    assert 1.2 <= scale <= 2
    assert 0.8 * CARD <= pixels.shape[1] / 2 <= CARD


def test_a_line_wider_than_the_card_is_not_made_smaller(tmp_path):
    wide = " ".join([MINUS] * 3)
    page = Drawing(tmp_path / "a.pdf", width=1400).lines([f"{row} {wide}" for row in range(9)]).page()
    pixels, scale = cropped(tmp_path / "a.pdf", page, f"4 {wide}")
    assert scale == pytest.approx(1.2)
    assert pixels.shape[1] / 2 > CARD


def test_large_print_of_a_slide_is_made_smaller_until_it_fits(tmp_path):
    texts = [f"Point {row}: the harbour opens again in the spring of next year" for row in range(6)]
    page = Drawing(tmp_path / "a.pdf", width=960, height=540).lines(texts, size=30, pitch=50).page()
    pixels, scale = cropped(tmp_path / "a.pdf", page, texts[2])
    assert pixels.shape[1] / 2 <= CARD
    assert 30 * scale >= 12


def test_two_lines_before_and_two_after_and_no_blank_bands(tmp_path):
    page = Drawing(tmp_path / "a.pdf").lines(paragraphs(30)).page()
    assert words_in(page, around(page, "Line 14")) == paragraphs(17)[12:]
    pixels, scale = cropped(tmp_path / "a.pdf", page, paragraphs(30)[14])
    assert max(blank_bands(pixels)) <= 10 * scale * 2
    assert is_yellow(pixels).mean() > 0.05


def test_a_picture_or_a_gap_beside_the_words_is_left_out(tmp_path):
    drawing = Drawing(tmp_path / "a.pdf").lines(["Far above the words"], top=100)
    drawing.lines(["The words alone in the middle of the page"], top=400)
    page = drawing.lines(["Far below the words"], top=700).page()
    assert words_in(page, around(page, "The words alone")) == ["The words alone in the middle of the page"]
    pixels, scale = cropped(tmp_path / "a.pdf", page, "The words alone")
    assert pixels.shape[0] < 2.5 * 10 * scale * 2


def test_one_column_only_of_a_page_in_two_columns(tmp_path):
    drawing = Drawing(tmp_path / "a.pdf").lines(
        ["A title that runs over the two columns of this page"], top=86
    )
    left = [f"Left {row} of the first column of this page" for row in range(40)]
    right = [f"Right {row} of the second column of it" for row in range(40)]
    page = drawing.lines(left, x=60).lines(right, x=310).page()
    for row in (0, 20, 39):
        assert all(
            line.startswith("Left") for line in words_in(page, around(page, left[row])) if "title" not in line
        )
        assert all(line.startswith("Right") for line in words_in(page, around(page, right[row])))
        part = around(page, right[row]).parts[0]
        assert part.x0 > 1000 * (60 + 170) / 595


def test_words_that_go_on_in_the_next_column_are_shown_in_two_parts(tmp_path):
    left = [f"Left {row} of the first column of this page" for row in range(40)]
    right = [f"Right {row} of the second column of it" for row in range(40)]
    page = Drawing(tmp_path / "a.pdf").lines(left, x=60).lines(right, x=310).page()
    shown = around(page, left[39], right[0])
    assert words_in(page, shown) == [*left[37:], *right[:3]]
    assert len(shown.parts) == 2
    pixels, scale = cropped(tmp_path / "a.pdf", page, left[39], right[0])
    assert pixels.shape[0] < 8 * 12.5 * scale * 2


def test_a_row_of_a_table_is_shown_with_all_its_cells(tmp_path):
    drawing = Drawing(tmp_path / "a.pdf")
    for row in range(12):
        for x, cell in ((72, f"Item {row}"), (300, f"{row},100"), (420, f"({row},200)"), (500, f"{row} %")):
            drawing.lines([cell], x=x, top=100 + 14 * row)
    page = drawing.page()
    part = around(page, "Item 6").parts[0]
    assert part.x0 < 1000 * 72 / 595
    assert part.x1 > 1000 * 500 / 595


@pytest.mark.parametrize("turn", [90, 270])
def test_turned_words_are_shown_upright(tmp_path, turn):
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path), pagesize=(595, 842))
    canvas.setFont("Times-Roman", 10)
    canvas.translate(*((200, 100) if turn == 90 else (300, 700)))
    canvas.rotate(turn if turn == 90 else -90)
    for row, text in enumerate(paragraphs(9)):
        canvas.drawString(0, -14 * row, text)
    canvas.save()
    page = next(page for page in read_pdf(path) if isinstance(page, PageText))
    pixels, _ = cropped(path, page, paragraphs(9)[4])
    assert pixels.shape[1] > 2 * pixels.shape[0]
    marked = np.argwhere(is_yellow(pixels))
    height, width = np.ptp(marked, axis=0)
    assert width > 5 * height
    first = (pixels.max(axis=2) < 100)[:, : pixels.shape[1] // 2]
    rest = (pixels.max(axis=2) < 100)[:, pixels.shape[1] // 2 :]
    assert first.sum() > 0
    assert rest.sum() > 0
    # The rows above the marked one are as many as those below.
    middle = marked[:, 0].mean() / pixels.shape[0]
    assert 0.35 < middle < 0.65


def test_a_long_quote_is_shown_from_its_beginning(tmp_path):
    page = Drawing(tmp_path / "a.pdf").lines(paragraphs(50)).page()
    shown = words_in(page, around(page, "Line 4", "Line 45"))
    assert shown[:3] == paragraphs(5)[2:]
    assert len(shown) <= 18


def test_a_small_scrap_of_a_huge_page_is_drawn_sharply(tmp_path):
    page = Drawing(tmp_path / "a.pdf", width=5000, height=5000).lines(paragraphs(9), x=3000, top=2000).page()
    pixels, scale = cropped(tmp_path / "a.pdf", page, "Line 4")
    assert scale >= 1.2
    assert (pixels.max(axis=2) < 60).mean() > 0.01  # black letters, not a grey blur


def test_a_page_whose_letters_have_no_place_shows_the_boxes_themselves():
    shown = surroundings([Rect(x0=100, y0=100, x1=600, y1=120)], "no places", b"", 595, 842)
    (part,) = shown.parts
    assert part.x0 < 100 < 600 < part.x1
    assert part.y0 < 100 < 120 < part.y1
    with pytest.raises(ValueError, match="no words"):
        surroundings([], "", b"", 595, 842)


def test_edges_of_the_page_are_the_edges_of_the_crop(tmp_path):
    page = Drawing(tmp_path / "a.pdf").lines(["At the top"], x=0, top=8).page()
    (part,) = around(page, "At the top").parts
    assert part.x0 >= 0
    assert part.y0 >= 0


@pytest.mark.parametrize(
    "wrapped",
    [
        "The Supplier, the Customer, and each of their agents, shall keep all records",
        "of the Services, the Charges and the “Credits”, for six years; a copy, if asked for,",
        "is given, free of charge, within ten days (m², kg³ and others), by e-mail.",
    ],
)
def test_commas_quotation_marks_and_raised_figures_part_no_line(tmp_path, wrapped):
    text = wrapped.replace("“", '"').replace("”", '"')
    lines = [f"3.3 {text}", text, f"{text} The end of it, at last."]
    page = Drawing(tmp_path / "commas.pdf").lines(lines, x=72).page()
    shown = around(page, "3.3 ", "at last.")
    assert len(shown.parts) == 1
