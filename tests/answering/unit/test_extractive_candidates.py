"""Which parts of a passage may be quoted where there is no language model."""

from answering.extractive.candidates import Passage, candidates, with_its_neighbours

SHEET = "Year\tDucks\n2019\t120\n2020\t135"
ROWS = "| Year | Ducks |\n| --- | --- |\n| 2019 | 120 |\n| 2020 | 135 |"


def test_a_short_row_can_be_quoted_under_its_heads() -> None:
    found = candidates([Passage(key="c1", document="Ducks", text=SHEET, score=0.5, table=ROWS)])
    assert [part.row for part in found if part.kind == "row"] == ["2019 | 120", "2020 | 135"]


def test_a_short_line_without_heads_cannot() -> None:
    found = candidates([Passage(key="c1", document="Ducks", text="2020\t135\n\nPage 3", score=0.5)])
    assert not found


def test_a_statement_that_goes_on_to_a_question_is_none() -> None:
    text = "Makdessi [2015] replaced the older test: is the sum out of all proportion to the interest?"
    assert [part.text for part in candidates([Passage(key="c1", document="Notes", text=text, score=0.5)])]
    asked = "What is the question of the class on Monday: is the sum out of all proportion to the interest?"
    assert not candidates([Passage(key="c1", document="Notes", text=asked, score=0.5)])


def test_what_was_done_to_a_thing_is_quoted_with_the_sentence_that_names_it() -> None:
    text = (
        "The test was that of Dunlop v New Garage [1915]. Cavendish v Makdessi [2015] replaced it for good."
    )
    first, second = candidates([Passage(key="c1", document="Notes", text=text, score=0.5)])
    both = {first.text, second.text}
    assert with_its_neighbours(first, both).text == with_its_neighbours(second, both).text == text
    assert second.stands_for == first.text


def test_a_line_that_names_a_party_by_its_role_can_be_quoted() -> None:
    """By any role that the digest knows, too."""
    for line in ("Shareholder: Ada Rowe", "Franchisees: Owen Hale", "Landlord: Ada Rowe"):
        found = candidates([Passage(key="c1", document="Deed", text=f"{line}\n\nPage 3", score=0.5)])
        assert [part.text for part in found] == [line]
