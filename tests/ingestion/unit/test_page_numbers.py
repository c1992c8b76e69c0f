"""Pages as a note and a button name them."""

import pytest

from ingestion.page_numbers import named
from ingestion.recognition import offer_of


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([], ""),
        ([7], "Read page 7 by OCR; about 5 s"),
        ([1, 2], "Read 2 pages by OCR: 1-2; about 10 s"),
        ([2, 5, 9], "Read 3 pages by OCR: 2, 5 and 9; about 15 s"),
        ([*range(1, 1001), 1200], "Read 1,001 pages by OCR: 1-1,000 and 1,200; about 84 min"),
        ([1, 3, 5, 7, 9, 11, 13, 14], "Read 8 pages by OCR: 1, 3, 5, 7, 9, 11 and 2 more; about 40 s"),
    ],
)
def test_a_button_names_the_pages_it_reads(numbers: list[int], said: str) -> None:
    assert offer_of(numbers) == said


def test_runs_of_pages_are_named_as_such() -> None:
    assert named([2, 3, 4, 7, 9]) == "2-4, 7, 9"
