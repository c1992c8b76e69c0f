"""Whether a quote is these words of a document, also where personal data in it is masked."""

import pytest

from chat.citations.again import says

WORDS = "Write to ann@example.org or bob@example.org by May."


@pytest.mark.parametrize(
    ("quote", "is_said"),
    [
        (WORDS, True),
        ("Write to ‹email masked› or ‹email masked› by May.", True),
        ("Write to ‹email masked› by May.", True),
        ("Write to ‹email masked› and ‹email masked› by May.", False),
        ("Pay ‹email masked› by May.", False),
        ("Write to ‹email masked› by June.", False),
        (WORDS.upper(), False),
        ("", False),
    ],
)
def test_says(quote: str, is_said: bool) -> None:
    assert says(WORDS, quote) is is_said
