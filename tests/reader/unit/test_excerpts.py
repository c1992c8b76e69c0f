"""The part of a passage that a list of results shows."""

import re

import pytest

from reader.search.excerpts import WIDTH, excerpt
from reader.search.finding import is_bare

FILLER = "Nothing of interest stands in this sentence. " * 12


def shown(text: str, word: str = "") -> str:
    start = text.index(word) if word else 0
    spans = [(start, start + len(word))] if word else []
    parts = excerpt(text, spans).stretches
    return "".join(f"[{part.text}]" if part.marked else part.text for part in parts)


def test_a_short_passage_is_shown_whole() -> None:
    assert shown("The rent is due.\nPay it.", "rent") == "The [rent] is due. Pay it."


def cells(text: str) -> list[list[str]]:
    return [["".join(part.text for part in cell) for cell in row] for row in excerpt(text, []).rows]


def test_a_table_is_shown_in_rows_and_bars_of_a_text_are_no_table() -> None:
    assert cells("Day\tRent\n1 June\t£9 · net") == [["Day", "Rent"], ["1 June", "£9 · net"]]
    assert cells("Use a | b to pass it on · or a || b.\nDone.") == []


def test_a_heading_is_shown_with_what_stands_under_it() -> None:
    long = f"Any notice under this Award shall be in writing, {'and so on, ' * 40}as it says."
    assert shown(f"{FILLER}\n\nNotices.\n\n{long}", "Notices").startswith("… [Notices]. Any notice under")


def test_what_has_only_headings_is_told_from_what_says_something() -> None:
    assert is_bare("Notices.\n\n19. Governing Law.")
    assert not is_bare("Notices.\n\nAny notice shall be in writing.")
    assert not is_bare("Year\tDucks\n2020\t135")


def test_a_passage_that_begins_within_a_sentence_says_so() -> None:
    assert shown("pursuant to Rule 13a-14(b).", "Rule") == "… pursuant to [Rule] 13a-14(b)."
    assert shown("“the partner in charge” leaves.", "charge") == "… “the partner in [charge]” leaves."


@pytest.mark.parametrize(
    ("before", "goes_on"),
    [
        ("Notices go to the ", True),
        ("The rent is due. Notices go to ", True),
        ("The rent is due. ", False),
        ("The rent is due.\n\n", False),
        ("3. Charges\n\n", False),
        ("", False),
    ],
)
def test_a_capital_begins_a_sentence_only_where_one_has_ended(before: str, goes_on: bool) -> None:
    shown = excerpt("Supplier under this Agreement.", [], before).stretches[0].text
    assert shown.startswith("…") is goes_on


def test_headings_and_paragraphs_are_kept_apart() -> None:
    text = "Schedule 5: Charge\n\nThe Charge depends on the\nmonth.\n\nTable A\n\n2. Table B."
    assert shown(text) == "Schedule 5: Charge · The Charge depends on the month. Table A · 2. Table B."


def test_a_long_one_from_the_sentence_with_the_word() -> None:
    text = f"{FILLER}The rent is due in May. {FILLER}"
    assert shown(text, "rent").startswith("… The [rent] is due in May. Nothing")
    assert shown(text, "rent").endswith(" …")
    assert excerpt(text, [(text.index("rent"), text.index("rent") + 4)]).place == text.index("rent")


def test_a_very_long_sentence_is_cut_between_words() -> None:
    text = " ".join(f"word{number}" for number in range(200)) + " target " + "tail " * 200
    part = shown(text, "target")
    assert "[target]" in part
    assert len(part) < WIDTH + 20
    assert part.startswith("… word")


def test_where_most_words_stand_together_is_shown() -> None:
    text = f"One rent here. {FILLER}The rent and the fee are due. {FILLER}"
    second = text.rindex("rent")
    spans = [(4, 8), (second, second + 4), (text.index("fee"), text.index("fee") + 3)]
    parts = excerpt(text, spans).stretches
    assert [part.text for part in parts if part.marked] == ["rent", "fee"]


def test_rows_and_cells_of_a_table_are_kept_apart() -> None:
    assert shown("Total\t41.8\t47.3\nServices\t3.1", "Total") == "[Total] | 41.8 | 47.3 · Services | 3.1"


def test_what_was_found_over_two_lines_of_a_cell_is_marked_as_one() -> None:
    text = "Leiden\tsales, third data\ncentre\t58"
    start = text.index("data")
    parts = excerpt(text, [(start, start + len("data centre"))]).stretches
    assert [part.text for part in parts if part.marked] == ["data centre"]


@pytest.mark.parametrize("number", ["2.2", "15.7.1", "(a)", "b)", "iv."])
def test_the_number_of_a_clause_is_no_cell(number: str) -> None:
    clause = f"{number}\tThe Customer pays the charge."
    assert (
        shown(f"{clause} It is due at once.", "charge")
        .removeprefix("… ")
        .startswith(f"{number} The Customer")
    )
    assert (
        shown(f"Notices are written.\n{clause}", "charge")
        == f"Notices are written. {number} The Customer pays the [charge]."
    )


@pytest.mark.parametrize("row", ["2.2\t4.1", "2023\tRevenue", "A4\tWho pays?\tThe Customer."])
def test_the_first_cell_of_a_row_is_kept_apart(row: str) -> None:
    assert shown(f"{row}\nOther\t1", row[:2]).startswith(f"[{row[:2]}]{row[2:].replace(chr(9), ' | ')}")


def test_an_excerpt_does_not_end_at_the_label_of_a_table_whose_caption_does_not_fit() -> None:
    before = (
        "The rent was paid in May. " + "The keys were handed over at noon by the agent of the owner. " * 4
    )
    text = f"{before}Table 4. {'Rents of all flats by month and year, in pounds, ' * 6}without heating."
    place = text.index("rent")
    shown = "".join(part.text for part in excerpt(text, [(place, place + 4)]).stretches)
    assert shown.endswith("owner. …")


LEASE = """1. Definitions
"Annual Rent" means £62,500 a year. "Term" means the term of ten years from 1 April 2021 to 31 March 2031.
2. Rent
2.1 The Tenant shall pay the Annual Rent by equal quarterly payments in advance, on the usual quarter days.
3. Repair
3.1 The Tenant shall keep the premises in good repair, and return them so at the end of the Term.
4. Dealings
4.1 The Tenant shall not assign this Lease.
"""


def test_an_excerpt_ends_with_its_clause() -> None:
    found = shown(LEASE, "good repair")
    assert found.startswith("… 3.1 The Tenant shall keep the premises in [good repair]")
    assert found.endswith("at the end of the Term. …")


def test_an_excerpt_goes_on_to_the_next_clause_with_the_words() -> None:
    spans = [found.span() for found in re.finditer("Annual Rent", LEASE)]
    found = "".join(part.text for part in excerpt(LEASE, spans).stretches)
    assert found.startswith('… "Annual Rent" means')
    assert found.endswith(
        "2. Rent · 2.1 The Tenant shall pay the Annual Rent by equal quarterly payments in"
        " advance, on the usual quarter days. …"
    )


def test_an_excerpt_ends_before_the_next_heading() -> None:
    reports = "Reports are welcome by email and are answered within three working days of that."
    text = f"{reports}\nE. Support\n{FILLER}"
    assert shown(text, "email").endswith("working days of that. …")


def test_a_heading_is_shown_with_its_number() -> None:
    assert shown(LEASE, "Repair").startswith("… 3. [Repair] · 3.1")


def test_an_excerpt_ends_before_the_signatures() -> None:
    said = (
        "4. The notice under clause 8 is one month if it is given by you. It stays two months if given by me."
    )
    text = f"{FILLER}\n{said}\nYours sincerely, Philippa Rowe\nAgreed: Owen Hale"
    assert shown(text, "notice").endswith("if given by me. …")


def test_a_line_to_write_on_is_one_ellipsis() -> None:
    shown = excerpt("Notice expires on . . . . . . . . . . . . and is signed.", [])
    assert "".join(part.text for part in shown.stretches) == "Notice expires on … and is signed."
