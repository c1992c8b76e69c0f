"""A passage falls into the parts that can be quoted."""

import pytest

from text.quotable import MAX_QUOTE, parts


@pytest.mark.parametrize(
    ("passage", "expected"),
    [
        (
            "See No. 1 and Fig. 2, e.g. the U.S. edition. It costs 3.50. Done!",
            ["See No. 1 and Fig. 2, e.g. the U.S. edition.", "It costs 3.50.", "Done!"],
        ),
        (
            "12. Security\n12.2 The Supplier shall back up the data every night, as clause\n12.4 "
            "requires. It shall test this.\n",
            [
                "12. Security",
                "12.2 The Supplier shall back up the data every night, as clause 12.4 requires.",
                "It shall test this.",
            ],
        ),
        ("Fruit 2023 2024\nApples 4 5\nPears 6 7\n", ["Fruit 2023 2024", "Apples 4 5", "Pears 6 7"]),
        ("Bring:\n• a warm coat\n• two pens\n", ["Bring:", "• a warm coat", "• two pens"]),
        (
            "the end of a sentence. A whole one. And a beginning of",
            ["the end of a sentence.", "A whole one.", "And a beginning of"],
        ),
    ],
)
def test_a_passage_falls_into_quotable_parts(passage: str, expected: list[str]) -> None:
    found = parts(passage)
    assert [part.text for part in found] == expected
    assert all(" ".join(passage[part.start : part.end].split()) == part.text for part in found)


def test_a_very_long_sentence_is_cut_at_a_clause() -> None:
    passage = "The list names " + "; ".join(f"a thing of kind {number}" for number in range(60)) + "."
    found = parts(passage)
    assert all(part.end - part.start <= MAX_QUOTE for part in found)
    assert all(part.text.endswith((";", ".")) for part in found)
    assert " ".join(part.text for part in found) == passage


def test_a_row_knows_its_heading_and_its_columns() -> None:
    rows = parts("Table 2. Plants sold at the fair\nPlant 2023 2024\nTomato 41 57\nKale 3 9\n")
    tomato = next(part for part in rows if part.text.startswith("Tomato"))
    assert tomato.kind == "row"
    assert "Plants sold at the fair" in tomato.about
    assert "2023 2024" in tomato.about


def test_a_sentence_that_the_passage_cuts_is_not_whole() -> None:
    first, second, third = parts("the end of a sentence. A whole one. And a beginning of")
    assert [first.whole, second.whole, third.whole] == [False, True, False]


def test_a_page_number_parts_what_stands_around_it() -> None:
    found = [part.text for part in parts("The rent is due on the first.\nPage 3 of 9\nIt is paid by bank.\n")]
    assert "The rent is due on the first." in found
    assert "It is paid by bank." in found
