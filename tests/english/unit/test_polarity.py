"""Whether a statement says yes or no."""

import pytest

from english.polarity import is_affirmed


@pytest.mark.parametrize(
    "text", ["You may keep a cat.", "Pets? Yes.", "Smoking is permitted.", "Payment by card is possible."]
)
def test_yes(text):
    assert is_affirmed(text) is True


@pytest.mark.parametrize("text", ["You may not keep a cat.", "Smoking is prohibited here.", "Pets? No"])
def test_no(text):
    assert is_affirmed(text) is False


@pytest.mark.parametrize(
    "text",
    [
        "You may keep a cat if we agree.",
        "Not only cats may stay.",
        "The cat sat on the mat.",
        "No pets are allowed, as long as the landlord agrees.",
        "It is possible that data is stored abroad.",
    ],
)
def test_neither_plainly(text):
    assert is_affirmed(text) is None
