"""Lines of the trace are kept in English and shown in the reader's language."""

import pytest
from django.utils.translation import override

from answering.question.intent import Intent
from answering.stages.checking import Checking
from chat.web.answers.step_words import TYPES, in_words
from retrieval.tools.tool import hits


@pytest.mark.parametrize(
    ("kept", "german"),
    [
        ("25 hits", "25 Treffer"),
        ("1,204 hits", "1.204 Treffer"),
        ("3 hits, 2 spelt differently", "3 Treffer, 2 anders geschrieben"),
        ("Factual, from its form", "Sachfrage, an ihrer Form erkannt"),
        ("Out of scope, from its words", "Außerhalb des Themas, an ihren Wörtern erkannt"),
        ("Holds the passages found against the question", "Hält die gefundenen Textstellen gegen die Frage"),
        ("Round 2 of at most 3", "Runde 2 von höchstens 3"),
        ("8 of 25", "8 von 25"),
        (
            "Left out: It took more than 5 seconds.",
            "Ausgelassen: Das dauerte länger als 5 Sekunden.",
        ),
        (
            "1 of 2 quotes on the page, 1 supports the claim",
            "1 von 2 Zitaten auf der Seite, 1 stützt die Aussage",
        ),
        ("notice of termination, in 3 of 4 contracts", "notice of termination, in 3 of 4 contracts"),
        ("termination of contract", "termination of contract"),  # what was searched for
    ],
)
def test_a_line_is_said_in_the_readers_language(kept: str, german: str) -> None:
    assert in_words(kept) == kept
    with override("de"):
        assert in_words(kept) == german


def test_what_stages_and_tools_say_is_known() -> None:
    picked = Checking().counted([], quotes_only=True).text
    with override("de"):
        assert in_words(picked) == "0 Textstellen, Wort für Wort, die nächstliegenden zuerst"
        assert in_words(hits([])) == "0 Treffer"
    assert {intent.label for intent in Intent} == set(TYPES)


def test_one_word_for_what_models_read() -> None:
    assert in_words("Reading 1,200 units of text, about 4 s") == "Reading 1,200 tokens, about 4 s"
