"""Which parts of a passage may be quoted where there is no language model."""

from chat.answering.extractive.candidates import Passage, candidates

SHEET = "Year\tDucks\n2019\t120\n2020\t135"
ROWS = "| Year | Ducks |\n| --- | --- |\n| 2019 | 120 |\n| 2020 | 135 |"


def test_a_short_row_can_be_quoted_under_its_heads() -> None:
    found = candidates([Passage(key="c1", document="Ducks", text=SHEET, score=0.5, table=ROWS)])
    assert [part.row for part in found if part.kind == "row"] == ["2019 | 120", "2020 | 135"]


def test_a_short_line_without_heads_cannot() -> None:
    found = candidates([Passage(key="c1", document="Ducks", text="2020\t135\n\nPage 3", score=0.5)])
    assert not found
