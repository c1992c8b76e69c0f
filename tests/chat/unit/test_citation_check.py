"""Where a quotation is looked for."""

import pytest

from chat.citations.parse import Quotation
from chat.citations.store import find
from retrieval.evidence import Evidence

WORDS = "Backups are kept for thirty days in a second region of the same country."
SLIP = "Backups are kept for thirty days in a second regoin of the same country"


def passage(chunk: int, text: str = WORDS) -> Evidence:
    return Evidence(
        chunk_id=chunk, document_id=1, document_title="A", first_page=1, last_page=1, start=0, end=len(text),
        text=text, score=1.0,
    )  # fmt: skip


def quotation(quote: str, key: str = "c1") -> Quotation:
    return Quotation(n=1, claim="Backups are kept.", key=key, quote=quote)


def test_the_passage_that_was_named_comes_first() -> None:
    shown = {"c1": passage(1), "c2": passage(2)}
    for key, chunk in (("c1", 1), ("c2", 2)):
        place = find(quotation("kept for thirty days", key), shown)
        assert place
        assert place[0].chunk_id == chunk


@pytest.mark.parametrize("key", ["c1", "c9", ""])
def test_words_under_a_wrong_key_are_found_where_they_stand(key: str) -> None:
    shown = {"c1": passage(1, "Tapes rot in damp cellars."), "c2": passage(2)}
    place = find(quotation("kept for thirty days", key), shown)
    assert place
    assert (place[0].chunk_id, place[1].method) == (2, "exact")


def test_a_slip_is_forgiven_in_the_named_passage_alone() -> None:
    shown = {"c1": passage(1), "c2": passage(2, "Tapes rot in damp cellars.")}
    named = find(quotation(SLIP, "c1"), shown)
    assert named
    assert named[1].method == "corrected"
    assert find(quotation(SLIP, "c2"), shown) is None


def test_words_of_no_passage_have_no_place() -> None:
    assert find(quotation("gulls nest on the cliffs"), {"c1": passage(1)}) is None
    assert find(quotation("gulls nest on the cliffs"), {}) is None
