"""Whether a text is English."""

import pytest

from text.language import is_english


@pytest.mark.parametrize(
    "text",
    [
        "Where does Müller live?",
        "What is the capital of Peru?",
        "UNITED STATES SECURITIES AND EXCHANGE COMMISSION Washington, D.C. 20549 FORM 10-Q",
    ],
)
def test_english(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Wer wohnt in Zürich?",
        "Was ist die Hauptstadt, an der so viele in Not am Ende sind?",
        "Où habite Monsieur Müller, on me dit à Zurich?",
        "Waar is het kantoor van Boeing of Airbus?",
        "Quanto è alto il Monte Bianco in metri?",
        "Hvor bor han, for eller i by?",
        "2023 1,234 5,678",
        "",
    ],
)
def test_other_languages_and_bare_figures(text: str) -> None:
    assert not is_english(text)
