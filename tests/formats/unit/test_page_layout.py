"""In which order the lines that OCR found on a page are read."""

import time

import pytest

from formats.ocr.layout import Placed, rows


def column(left: float, lines: int, words: str, grows: float = 0.0) -> list[Placed[str]]:
    """grows: pixels by which each line is longer than the one above."""
    return [
        Placed(
            start=(left, 30.0 * number),
            end=(left + 600 + grows * number, 30.0 * number),
            height=20,
            content=f"{words}{number}",
        )
        for number in range(lines)
    ]


def test_columns_are_read_one_after_the_other() -> None:
    read = rows([*column(900, 6, "right "), *column(100, 6, "left ")])
    assert read == [[f"{side} {number}"] for side in ("left", "right") for number in range(6)]


@pytest.mark.parametrize("columns", [1, 3])
def test_a_page_of_ten_thousand_lines_is_put_in_order_at_once(columns: int) -> None:
    each = 10_000 // columns
    lines = [line for part in range(columns) for line in column(800.0 * part + 100, each, "", grows=0.001)]
    began = time.process_time()
    assert len(rows(lines)) == len(lines)
    assert time.process_time() - began < 5


def cells(left: float, top: float, lines: int) -> list[Placed[str]]:
    return [
        Placed(
            start=(left + 110 * place, top + 30.0 * number),
            end=(left + 110 * place + 60, top + 30.0 * number),
            height=20,
            content=f"cell {number} {place}",
        )
        for number in range(lines)
        for place in range(5)
    ]


def test_columns_beside_and_under_a_table_are_read_one_after_the_other() -> None:
    """As pages of papers are: a table heads the right column, and its many cells are no prose."""
    left = column(100, 30, "left ")
    right = [*cells(900, 0, 12), *[line for line in column(900, 30, "right ") if line.start[1] >= 12 * 30]]
    read = rows([*left, *right])
    assert read[:30] == [[f"left {number}"] for number in range(30)]
    assert read[30] == [f"cell 0 {place}" for place in range(5)]
    assert read[42:] == [[f"right {number}"] for number in range(12, 30)]


def test_rows_of_a_table_over_both_columns_stay_rows() -> None:
    table = [*cells(100, 0, 6), *cells(900, 0, 6)]
    title = Placed(start=(100, 190.0), end=(1500, 190.0), height=20.0, content="title")
    text = [line for left, side in ((100, "left "), (900, "right ")) for line in column(left, 40, side)]
    read = rows([*table, title, *[line for line in text if line.start[1] >= 240]])
    assert read[0] == [f"cell 0 {place}" for place in range(5)] * 2
    assert read[6] == ["title"]
    assert read[7:9] == [["left 8"], ["left 9"]]


def test_a_list_with_heads_and_numbers_beside_it_is_no_pair_of_columns() -> None:
    lines: list[Placed[str]] = []
    for number in range(12):
        top = 60.0 * number
        lines.append(Placed(start=(100, top), end=(300, top), height=20.0, content=f"HEAD {number}"))
        lines.append(Placed(start=(100, top + 30), end=(130, top + 30), height=20.0, content=f"({number})"))
        lines.append(
            Placed(start=(360, top + 30), end=(900, top + 30), height=20.0, content=f"text {number}")
        )
    assert rows(lines)[:4] == [["HEAD 0"], ["(0)", "text 0"], ["HEAD 1"], ["(1)", "text 1"]]
