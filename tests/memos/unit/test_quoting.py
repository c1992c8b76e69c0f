"""Which quotations of a memo have other words than their sources."""

import pytest

from memos.quoting import changed_in

QUOTE = "The fee is 4,200 euros a year and due on 1 May 2026."
LIE = "The Supplier shall pay nine million."
SOURCES = [{"n": 1, "quote": QUOTE}]


@pytest.mark.parametrize(
    "text",
    [
        f"> {LIE} [1]",
        f"- > {LIE} [1]",
        f"1. Fees\n\n   > {LIE} [1]",
        f"> > {LIE} [1]",
        f"> {QUOTE} [1] {LIE}",
        f"> {LIE}\n\n[1]",
        "> The fee is 14,200 euros a year and due on 1 May 2026. [1]",
    ],
)
def test_other_words_are_told_wherever_they_are_quoted(text: str) -> None:
    assert changed_in(text, SOURCES) == {1}


@pytest.mark.parametrize(
    "text",
    [
        f"> {QUOTE} [1]",
        f"- > {QUOTE} [1].",
        f"> {QUOTE}\n\n[1]",
        "> ... due on 1 May 2026. [1]",
        "> The fee is **4,200** euros a year and due on 1 May 2026. [1]",
        f"{LIE} [1]",
        f"> {QUOTE} [1] (emphasis added)",
        f"> {QUOTE} [1]\n> - Lease, clause 4",
        f"> {QUOTE} [1] — Lease, clause 4",
        f"> {LIE}\n\nSays the supplier [1]",
    ],
)
def test_its_own_words_and_ones_own_are_not(text: str) -> None:
    assert not changed_in(text, SOURCES)


ROW = "Net sales\t$\t20\t$\t19"


@pytest.mark.parametrize(("figure", "changed"), [("$20", set()), ("$70", {1})])
def test_only_the_row_itself_is_held_against_its_source(figure: str, changed: set[int]) -> None:
    text = f"> | Europe | 2023 | 2022 |\n> | --- | --- | --- |\n> | Net sales | {figure} | $19 [1] |"
    assert changed_in(text, [{"n": 1, "quote": ROW}]) == changed
