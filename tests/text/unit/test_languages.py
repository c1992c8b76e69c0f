"""Which language a text or a short question is in."""

import pytest

from text.languages import language_of, language_of_question


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What is the notice period?", "en"),
        ("How many employees does Die Zeit have?", "en"),
        ("Was ist die Kündigungsfrist?", "de"),
        ("Wann endet der Vertrag?", "de"),
        ("Was kostet das?", "de"),
        ("Quelle est la durée du contrat ?", "fr"),
        ("Qui signe ?", "fr"),
        ("¿Cuándo termina el contrato?", "es"),
        ("Quando termina il contratto?", "it"),
        ("Wat is de opzegtermijn?", "nl"),
        ("通知期是多长", "zh"),
    ],
)
def test_a_short_question_tells_its_language(question: str, language: str) -> None:
    assert language_of_question(question) == language


@pytest.mark.parametrize(
    "question",
    ["Was Waypoint live on time?", "Was the notice sent?", "Define Affiliate", "Net sales 2022", ""],
)
def test_where_two_could_be_meant_or_nothing_tells_it_is_none(question: str) -> None:
    assert language_of_question(question) == ""


def test_a_text_tells_it_by_its_small_words() -> None:
    assert language_of("Der Vertrag endet mit dem Ablauf des Jahres, und die Miete ist nicht fällig.") == "de"
    assert language_of("The contract ends with the year, and the rent is not due.") == "en"
    assert language_of("Notice period") == ""
