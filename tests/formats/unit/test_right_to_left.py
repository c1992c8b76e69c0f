"""Hebrew and Arabic lines are read in their order, however PDFium lists their letters."""

import time
from collections.abc import Sequence

import numpy as np
import pytest

from formats.pdf.page_text.right_to_left import LONGEST, in_reading_order

TALL, WIDE, GAP = 0.02, 0.01, 0.008


def read(listed: Sequence[tuple[str, float]], own: int | None = None) -> str:
    """The line that is read from letters in the order in which PDFium lists them, each with its place from
    the left in letters. Several letters at one place are a glyph; a space has no width.
    """
    signs = [(sign, place) for letters, place in listed for sign in letters]
    boxes = np.array(
        [
            [place * WIDE, 0.1, place * WIDE + (0 if sign == " " else WIDE), 0.1 + TALL]
            for sign, place in signs
        ]
    )
    codes, order = in_reading_order(
        np.array([ord(sign) for sign, _ in signs], np.uint32), boxes, own or len(signs)
    )
    assert sorted(order) == list(range(len(signs)))
    return "".join(chr(code) for code in codes if code)


def printed(visual: str) -> list[tuple[str, float]]:
    """Its letters as they stand from left to right, listed so; a space takes a letter's room."""
    return [(sign, float(place)) for place, sign in enumerate(visual)]


HEBREW = "חוזה שכירות"


@pytest.mark.parametrize("listed", [printed(HEBREW[::-1]), printed(HEBREW[::-1])[::-1]])
def test_letters_listed_from_either_side_are_read_alike(listed):
    assert read(listed) == HEBREW


def test_a_word_that_pdfium_turned_round_stands_in_its_place():
    # "שלום עולם חדש": PDFium has turned the first and the last word, not the one between.
    listed = [*zip("שלום", (12, 11, 10, 9), strict=True), (" ", 8.5), *zip("םלוע", (4, 5, 6, 7), strict=True)]
    listed += [(" ", 3.5), *zip("חדש", (2, 1, 0), strict=True)]
    assert read(listed) == "שלום עולם חדש"


@pytest.mark.parametrize(
    ("visual", "logical"),
    [
        ("הנש 2024 תנש", "שנת 2024 שנה"),
        ('ח"ש 1,250 םלשי', 'ישלם 1,250 ש"ח'),
        ("Act קוח", "חוק Act"),
        ("ןיד (SVQ Ltd) הרבח", "חברה (SVQ Ltd) דין"),
        ("ימויה 5-ה דע", "עד ה-5 היומי"),
        ("12.2 ףיעס", "סעיף 12.2"),
        ("50% לש הלחנה", "הנחלה של 50%"),
    ],
)
def test_numbers_and_other_scripts_stay_from_left_to_right(visual, logical):
    assert read(printed(visual)) == logical


def test_after_arabic_letters_a_range_of_numbers_goes_to_the_left():
    assert read(printed("20-10 نم")) == "من 10-20"
    assert read(printed("۱۴۰۳/۰۲/۱۵ خیرات")) == "تاریخ ۱۴۰۳/۰۲/۱۵"


def test_a_hebrew_name_in_an_english_line_is_turned_alone():
    assert read(printed("The firm םולש of 2 people")) == "The firm שלום of 2 people"


@pytest.mark.parametrize("glyph", ["لا", "ال"])
def test_a_glyph_of_lam_and_alef_has_lam_first(glyph):
    """As PDFium gives it in a part that it turned, and in one that it did not."""
    assert read([("س", 2), (glyph, 1), ("م", 0)]) == "سلام"
    assert read([("م", 0), (glyph, 1), ("س", 2)]) == "سلام"


def test_a_mark_stays_on_its_letter():
    assert read([("م", 3), ("و", 2), ("\u0651", 1), ("ر", 1), ("د", 0)]) == "مور\u0651د"


def test_a_space_within_a_word_is_dropped_where_it_has_no_room():
    """PDFium makes them where letters are drawn one by one."""
    assert read([("ق", 3), ("ر", 2), (" ", 2), ("ا", 1), ("ر", 0)]) == "قرار"


def test_brackets_open_before_they_close():
    assert read(printed(")א( ףיעס")) == "סעיף (א)"
    assert read(printed("(א) ףיעס")) == "סעיף (א)"


@pytest.mark.parametrize(
    "listed",
    [
        [*zip("ףיעס", (5, 6, 7, 8), strict=True), ("(", 4), (" ", 3.5), ("א", 2.5), (")", 1.5)],
        [*zip("סעיף", (8, 7, 6, 5), strict=True), ("(", 4), (" ", 3.5), ("א", 2.5), (")", 1.5)],
    ],
)
def test_room_behind_an_opening_bracket_is_a_space_before_it(listed):
    assert read(listed) == "סעיף (א)"


def test_room_before_a_closing_bracket_is_a_space_behind_it():
    listed = [("(", 6), ("א", 5), (" ", 4.5), (")", 3.5), *zip("דין", (2, 1, 0), strict=True)]
    assert read(listed) == "(א) דין"


def read_at(text: str, corners: Sequence[tuple[float, float]]) -> str:
    """What is read from characters with these left and upper sides, in letters' widths and heights."""
    boxes = np.array(
        [
            [x * WIDE, y * TALL, (x + (sign != " ")) * WIDE, (y + 1) * TALL]
            for sign, (x, y) in zip(text, corners, strict=True)
        ]
    )
    codes, order = in_reading_order(np.array([ord(sign) for sign in text], np.uint32), boxes, len(text))
    assert sorted(order) == list(range(len(text)))
    return "".join(chr(code) for code in codes if code)


def test_two_lines_that_pdfium_took_for_one_are_read_one_after_the_other():
    first, second = [(6.0 - n, 1.0) for n in range(5)], [(12.0 - n, 2.5) for n in range(4)]
    assert read_at("שלום עולם", first + second) == "שלום\nעולם"


def test_what_is_no_letter_belongs_to_the_nearest_row():
    rows = [(3.0, 1.0), (2.0, 1.0), (3.0, 3.0), (2.0, 3.0)]
    assert read_at("אבגד%.", [*rows, (1.0, 1.6), (1.0, 2.4)]) == "אב%גד."


def test_a_slanted_line_stays_as_it_is():
    assert read_at("םולש", [(float(n), 0.4 * n) for n in range(4)]) == "םולש"


def test_lines_printed_over_each_other_stay_as_they_are():
    listed = [*printed("General"), *[(sign, place + 0.5) for sign, place in printed("שלום")]]
    assert read(listed) == "Generalשלום"


def test_lines_keep_their_ends_and_other_lines_are_not_touched():
    """Also where the page's own characters end and those on top of it begin."""
    first, second = printed("abc"), printed("םולש")
    boxes = np.array(
        [
            [x * WIDE, y, (x + 1) * WIDE, y + TALL]
            for y, line in ((0.1, first), (0.3, second))
            for _, x in line
        ]
    )
    codes = np.array([ord(sign) for sign, _ in first + second], np.uint32)
    read_codes, order = in_reading_order(codes, boxes, 3)
    assert "".join(map(chr, read_codes)) == "abcשלום"
    assert order.tolist() == [0, 1, 2, 6, 5, 4, 3]


NO_PRINT = {
    "signs": "%",
    "signs and digits": "%1-",
    "marks": "א\u05b0",
    "brackets": "( [)] ",
    "words": "אa(",
    "spaces in brackets": "( א) ",
    "spaces": "א    ",
}


def seconds(sign: str, length: int, of_a_row: int) -> float:
    """Of the processor, for a line of this length that begins with a Hebrew letter."""
    text = ("א" + sign * length)[:length]
    numbers = np.arange(length)
    left, top = (numbers % of_a_row).astype(float), numbers // of_a_row * 3.0
    wide = np.array([float(sign != " ") for sign in text])
    boxes = np.stack([left, top, left + wide, top + 1], axis=1)
    codes = np.array([ord(sign) for sign in text], np.uint32)
    began = time.process_time()
    in_reading_order(codes, boxes, length)
    return time.process_time() - began


@pytest.mark.parametrize(
    ("sign", "of_a_row"),
    [
        *[(sign, of_a_row) for sign in NO_PRINT.values() for of_a_row in (100_000, LONGEST)],
        ("%", 2),
        ("%", 1),
    ],
)
def test_a_line_without_end_takes_its_length_in_time(sign, of_a_row):
    few = seconds(sign, 3_000, of_a_row)
    assert seconds(sign, 30_000, of_a_row) < 40 * max(few, 0.01)


def test_a_row_longer_than_print_for_people_stays_as_it_is():
    assert read(printed("אב" * LONGEST)) == "אב" * LONGEST
    assert read(printed("אב" * (LONGEST // 2))) == "בא" * (LONGEST // 2)
