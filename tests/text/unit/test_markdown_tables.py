"""Rows that are known to be rows are quoted whole, under the names of their own columns."""

from english.quotable import parts
from text.tables.markdown_tables import placed_rows

# Sizes are no dates and the labels wrap: by its look alone nothing tells heads or the ends of rows.
TEXT = (
    "The prices of moorings follow.\n"
    "Berth\tSmall\tLarge\n"
    "Outer harbour, with\npower and water\t475\t610\n"
    "Inner harbour\t390\t520\n"
    "Boats stay until noon."
)
MARKDOWN = (
    "The prices of moorings follow.\n"
    "| Berth | Small | Large |\n| --- | --- | --- |\n| **Yearly** |  |  |\n"
    "| Outer harbour, with power and water | 475 | 610 |\n| Inner harbour | 390 | 520 |"
)


def test_rows_are_found_where_they_stand() -> None:
    first, second = placed_rows(TEXT, MARKDOWN)
    assert TEXT[first.start : first.end] == "Outer harbour, with\npower and water\t475\t610"
    assert TEXT[second.start : second.end] == "Inner harbour\t390\t520"
    assert (first.first, first.heads, first.group) == ("Berth", "Small | Large", "Yearly")


def test_a_wrapped_row_is_quoted_whole_with_its_own_heads() -> None:
    rows = [part for part in parts(TEXT, table=MARKDOWN) if part.kind == "row"]
    assert [(row.text, row.heads) for row in rows] == [
        ("Outer harbour, with power and water 475 610", "Small | Large"),
        ("Inner harbour 390 520", "Small | Large"),
    ]
    assert "Yearly" in rows[0].about
    sentences = [part.text for part in parts(TEXT, table=MARKDOWN) if part.kind == "sentence"]
    assert sentences == ["The prices of moorings follow.", "Boats stay until noon."]


def test_a_title_behind_a_table_is_no_row_of_it() -> None:
    title = parts(f"{TEXT[:-23]}\n\nHardness of grade B", table=MARKDOWN)[-1]
    assert (title.text, title.heads) == ("Hardness of grade B", "")


def test_what_is_no_table_places_nothing() -> None:
    assert placed_rows(TEXT, "| a | b |\n|--|--|\n| Inner harbour | 1 |") == []
    assert placed_rows(TEXT, "") == []
    assert placed_rows(TEXT, MARKDOWN.replace("390", "391"))[-1].heads == "Small | Large"
    assert len(placed_rows(TEXT, MARKDOWN.replace("390", "391"))) == 1
