"""What a list shows of a passage begins and ends with whole sentences, or says that it does not."""

import pytest

from text.search.excerpt import LONGEST, excerpt

SENTENCE = "The supplier keeps every backup in a second region for thirty days."


@pytest.mark.parametrize(
    ("passage", "shown"),
    [
        (SENTENCE, SENTENCE),
        (f"of the one we are becoming. {SENTENCE}", f"… {SENTENCE}"),
        (f"2024. {SENTENCE}", f"… {SENTENCE}"),
        ("were as follows", "… were as follows"),
        (f"4. Additional warehouses\n\n{SENTENCE}", f"4. Additional warehouses · {SENTENCE}"),
        ("Revenue\t$5\t$4\nCosts\t$3\t$2", "Revenue | $5 | $4 · Costs | $3 | $2"),
        ("", ""),
    ],
)
def test_a_missing_beginning_is_an_ellipsis_and_headings_stand_apart(passage: str, shown: str) -> None:
    assert excerpt(passage) == shown


def test_what_is_too_long_ends_after_a_sentence_or_a_word() -> None:
    sentences = excerpt(" ".join([SENTENCE] * 9))
    assert sentences == f"{' '.join([SENTENCE] * 3)} …"
    words = excerpt("Warehouse " * 100)
    assert len(words) <= LONGEST + 2
    assert set(words.removesuffix(" …").split()) == {"Warehouse"}
