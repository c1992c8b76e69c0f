"""Splitting by paragraph and sentence: what is grouped, what is cut, and that tables stay whole."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.chunks.chunking import join_pages, split

SENTENCE = "The tenant shall pay the rent on the first of each month without any deduction. "
TABLE = "Table 2. Revenue by kind\nKind\t2023\t2024\t2025\n" + "".join(
    f"Product number {row}\t{row}.1\t{row}.2\t{row}.3\n" for row in range(60)
)


def pieces_of(text: str, size: int = 1000, overlap: int = 100) -> list[str]:
    return [piece.text for piece in split(*join_pages([text]), size=size, overlap=overlap, by_paragraph=True)]


@given(
    pages=st.lists(st.text(st.sampled_from("aab .\n;,A1\t\u00a0\U0001f600("), max_size=400), max_size=5),
    size=st.integers(20, 200),
    share=st.floats(0, 0.5),
)
def test_every_piece_is_found_at_its_offsets(pages: list[str], size: int, share: float) -> None:
    text, starts = join_pages(pages)
    covered: set[int] = set()
    for number, piece in enumerate(
        split(text, starts, size=size, overlap=int(size * share), by_paragraph=True)
    ):
        assert piece.index == number
        assert text[piece.start : piece.end] == piece.text == piece.text.strip() != ""
        assert "\t" in piece.text or len(piece.text) <= size
        covered.update(range(piece.start, piece.end))
    assert {place for place, letter in enumerate(text) if not letter.isspace()} <= covered


def test_paragraphs_are_grouped_and_each_ends_where_one_ends() -> None:
    paragraph = SENTENCE * 3
    pieces = pieces_of("\n\n".join([paragraph.strip()] * 9), overlap=0)
    assert all(500 <= len(piece) <= 1000 for piece in pieces)
    assert all(len(piece.split("\n\n")) * len(paragraph.strip()) <= len(piece) + 2 for piece in pieces)


def test_a_long_paragraph_is_cut_between_sentences_and_repeats_some_of_them() -> None:
    pieces = split(*join_pages([SENTENCE * 40]), size=1000, overlap=100, by_paragraph=True)
    assert len(pieces) > 3
    assert all(piece.text.startswith("The tenant") and piece.text.endswith("deduction.") for piece in pieces)
    assert all(0 < before.end - after.start <= 100 for before, after in itertools.pairwise(pieces))


def test_a_table_is_one_piece_with_its_caption() -> None:
    before, after = SENTENCE * 8, SENTENCE * 8
    pieces = pieces_of(f"{before}\n{TABLE}\n{after}")
    (table,) = [piece for piece in pieces if "\t" in piece]
    assert len(table) > 1000
    assert table.splitlines()[0] == "Table 2. Revenue by kind"
    assert table.splitlines()[-1].startswith("Product number 59")
    assert "tenant" not in table
    by_size = split(*join_pages([f"{before}\n{TABLE}\n{after}"]))
    assert sum("\t" in piece.text for piece in by_size) > 1  # as it is otherwise


def test_an_endless_table_is_cut_between_rows() -> None:
    rows = "".join(f"Product number {row}\t{row}.1\t{row}.2\n" for row in range(2000))
    pieces = pieces_of(rows)
    assert len(pieces) > 3
    assert all(len(piece) <= 8000 for piece in pieces)
    assert all(piece.startswith("Product") and piece[-1].isdigit() for piece in pieces)


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_sentences_between_small_tables_are_no_part_of_them(between: str) -> None:
    text = between.join(
        f"Item\t2023\t2024\nRevenue\t{day}.1\t{day}.2\nThe board met on day {day} and dismissed the director."
        for day in range(40)
    )
    pieces = pieces_of(text)
    tables = [piece for piece in pieces if "\t" in piece]
    assert len(tables) == 40
    assert all(piece.count("Revenue") == 1 and piece.count("dismissed") <= 1 for piece in tables)


def test_a_heading_between_two_tables_parts_them() -> None:
    first, second = "Item\t2023\t2024\nCost\t1\t2", "Item\t2023\t2024\nStaff\t3\t4"
    pieces = pieces_of(f"{first}\n\nPeople employed\n{second}")
    assert pieces == [first, f"People employed\n{second}"]


def test_the_rest_of_a_wrapped_cell_stays_in_its_table() -> None:
    table = "Item\t2023\t2024\nCost of sales and other\nexpenses of the year\t1\t2\nStaff\t3\t4"
    assert pieces_of(table) == [table]
