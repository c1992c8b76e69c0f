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
