"""Fields that take several things, typed on any keyboard."""

import pytest

from localization.typed import around_colon, names_apart, words_apart


@pytest.mark.parametrize(
    "typed",
    [
        "SHIP, SEA PORT",
        "SHIP; SEA PORT",
        "SHIP\nSEA PORT",
        "SHIP، SEA PORT",
        "SHIP，SEA PORT",
        "SHIP、SEA PORT，",
    ],
)
def test_names_are_told_apart_by_the_commas_of_each_script(typed: str) -> None:
    assert names_apart(typed) == ["SHIP", "SEA PORT"]


@pytest.mark.parametrize(
    "typed", ["a.example b.example", " a.example,b.example ", "a.example، b.example", "a.example，b.example"]
)
def test_words_are_told_apart_by_spaces_too(typed: str) -> None:
    assert words_apart(typed) == ["a.example", "b.example"]


@pytest.mark.parametrize("typed", ["Fee: When: now?", "Fee : When: now?", "Fee：When: now?"])
def test_the_first_colon_parts(typed: str) -> None:
    assert around_colon(typed) == ("Fee", "When: now?")


def test_without_a_colon_all_is_the_name() -> None:
    assert around_colon(" Notice ") == ("Notice", "")
