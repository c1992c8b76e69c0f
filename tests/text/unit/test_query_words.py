"""The words of a query in a text: as typed, in other forms, begun, misspelt, in scripts without spaces."""

import pytest

from text.search.query_words import QueryWords


def marked(query: str, text: str) -> list[str]:
    return [text[start:end] for start, end in QueryWords(query).held_by(text).spans]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("termination charge", "The Early\nTermination\nCharge applies.", ["Termination\nCharge"]),
        ("charge for termination", "A charge for termination.", ["charge for termination"]),
        ("the fee of the lease", "The fee is in the lease.", ["fee", "lease"]),
        ("terminated ", "on termination of it", ["termination"]),
        ("terminat", "Termination ends it.", ["Termination"]),
        ("port ", "A portfolio.", []),
        ("recieve notices", "They receive a notice.", ["receive", "notice"]),
        ("peru ", "$0.24 per share", []),
        ("capital of Pery ", "Capital of Peru, a very long way", ["Capital of Peru"]),
        ("Early Terminaton ", "early termination", ["early termination"]),
        ("EARLY TERMINATON ", "early termination", ["early termination"]),
        ("imogen varly ", "Early on, Imogen Varley left.", ["Imogen Varley"]),
        ("aerly notice ", "early notice", ["early notice"]),
        ("kontract ", "the contract", ["contract"]),
        ("12.2", "clause 12.2 and 12.3", ["12.2"]),
        ("12.2 ", "clause 12.3", []),
        ("müller", "MÜLLER and Muller", ["MÜLLER", "Muller"]),
        ("early termination", "an early-termination fee", ["early-termination"]),
        ("契約終了", "この契約終了の通知", ["契約終了"]),
        ("終了通知", "通知は終了です", ["通知", "終了"]),
        ("the of", "The end of it.", ["The", "of"]),
        ("...", "Nothing at all.", []),
        ("", "Nothing at all.", []),
    ],
)
def test_words_are_marked(query: str, text: str, expected: list[str]) -> None:
    assert marked(query, text) == expected


def test_it_tells_which_words_are_there_and_how() -> None:
    holding = QueryWords("early terminaton charge").held_by("An early termination fee.")
    assert holding.words == ("early", "terminaton", "charge")
    assert holding.present == ["early", "terminaton"]
    assert holding.misspelt == {1}
    assert holding.slips == 1
    assert holding.share == pytest.approx(2 / 3)
    assert not holding.together
    assert QueryWords("early charge").held_by("The early charge.").together
    assert not QueryWords("early terminaton ").held_by("termination", strict={1}).held
