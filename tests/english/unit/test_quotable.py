"""A passage falls into the parts that can be quoted."""

import pytest

from english.quotable import MAX_QUOTE, parts
from text.tables.table_lines import cells


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


@pytest.mark.parametrize(
    "caption",
    [
        "Figure 3: An overview of the two stages",
        "Fig. 4.1: Errors by layers (12, 24)",
        "Figure 2.  The press",
    ],
)
def test_the_caption_of_a_figure_is_no_row_of_a_table(caption: str) -> None:
    """Neither where it ends a passage nor where its words are set apart as cells are."""
    for passage in (f"There are two stages.\n\n{caption}", f"{caption}\n\nThe first stage reads."):
        kinds = {part.text: part.kind for part in parts(passage)}
        assert kinds[" ".join(caption.split())] == "heading"


def test_a_row_knows_its_heading_and_its_columns() -> None:
    rows = parts("Table 2. Plants sold at the fair\nPlant 2023 2024\nTomato 41 57\nKale 3 9\n")
    tomato = next(part for part in rows if part.text.startswith("Tomato"))
    assert tomato.kind == "row"
    assert "Plants sold at the fair" in tomato.about
    assert "2023 2024" in tomato.about


def test_a_known_row_has_its_cells_where_no_wide_gap_parts_them() -> None:
    passage = "Services, net of returns 21,213\t19,604\nProducts\t$\t60,584\n"
    table = (
        "| | 2023 | 2022 |\n| --- | --- | --- |\n"
        "| Services, net of returns | 21,213 | 19,604 |\n| Products | $ 60,584 | |"
    )
    assert [part.cells for part in parts(passage, table=table)] == [
        ("Services, net of returns", "21,213", "19,604"),
        ("Products", "$60,584"),
    ]


def test_a_sentence_that_the_passage_cuts_is_not_whole() -> None:
    first, second, third = parts("the end of a sentence. A whole one. And a beginning of")
    assert [first.whole, second.whole, third.whole] == [False, True, False]


def test_a_page_number_parts_what_stands_around_it() -> None:
    found = [part.text for part in parts("The rent is due on the first.\nPage 3 of 9\nIt is paid by bank.\n")]
    assert "The rent is due on the first." in found
    assert "It is paid by bank." in found


STATEMENT = """CONDENSED STATEMENTS OF OPERATIONS
(In millions)
Three Months Ended\tNine Months Ended
July 1,
2023
June 25,
2022
July 1,
2023
June 25,
2022
Net sales:
Products\t$\t60,584 $\t63,355 $\t230,901 $\t245,241
Total net sales\t81,797\t82,959\t293,787\t304,182
Median time to repair
(minutes)
97\t118\t52\t40
Growth\t$\t1,797\t(1)% $\t3,787\t(3)%
iPhone
iPhone net sales decreased during the third quarter of 2023 compared to the same quarter of the year 2022
due to lower net sales of certain models, $3.1
billion in all.
"""


def test_a_row_is_one_unit_with_the_heads_of_its_columns() -> None:
    rows = {part.text.split()[0]: part for part in parts(STATEMENT) if part.kind == "row"}
    heads = (
        "Three Months Ended | Nine Months Ended | July 1, 2023 | June 25, 2022 | July 1, 2023 | June 25, 2022"
    )
    assert rows["Total"].text == "Total net sales 81,797 82,959 293,787 304,182"
    assert rows["Total"].heads == heads
    assert rows["Products"].about == "CONDENSED STATEMENTS OF OPERATIONS (In millions) Net sales:"
    assert rows["Median"].text == "Median time to repair (minutes) 97 118 52 40"
    assert rows["Growth"].text == "Growth $ 1,797 (1)% $ 3,787 (3)%"


def test_a_heading_is_not_glued_to_its_sentence() -> None:
    last = parts(STATEMENT)[-1]
    assert last.text.startswith("iPhone net sales decreased")
    assert last.text.endswith("$3.1 billion in all.")
    assert last.about == "iPhone"


def test_a_passage_in_the_midst_of_a_table_has_the_heads_that_it_is_given() -> None:
    heads = "July 1, 2023 | June 25, 2022"
    rest = "Total net sales" + STATEMENT.split("Total net sales", 1)[1]
    assert parts(rest, heads)[0].heads == heads


def test_prose_in_columns_is_no_row() -> None:
    found = parts("C2\tHow many people have access?\tNineteen in December 2024. The list is kept.\n")
    assert [part.kind for part in found] == ["sentence"] * 3


def test_cells_keep_a_currency_sign_with_its_figure() -> None:
    assert cells("Products\t$\t60,584 $\t63,355\t(6)\t%") == ["Products", "$60,584", "$63,355", "(6)%"]
