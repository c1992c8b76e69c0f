"""What the list of documents says where nothing is in it."""

import pytest

from ingestion.web.listing import NONE_FOUND, STATES, DocumentsQuery


@pytest.mark.parametrize(
    ("state", "words", "said"),
    [
        ("failed", "", "No document is failed."),
        ("work", "", "No document is in progress."),
        ("ready", "lease", "No document is ready and has “lease” in its name."),
        ("all", "lease", "No document has “lease” in its name."),
    ],
)
def test_it_is_one_sentence(state: str, words: str, said: str) -> None:
    assert DocumentsQuery(state=state, words=words).nothing_found == said


def test_each_state_has_its_own() -> None:
    assert set(NONE_FOUND) == set(STATES)
