"""What is kept in the database is told to each reader in their language."""

import copy
import json
import pickle
from datetime import UTC, datetime

import pytest
from babel import Locale
from babel.lists import format_list
from django.utils.translation import override

from jobs.failures import Failure
from jobs.runs import LATER, fault
from localization.lists import in_quotes, joined, listed, quoted
from localization.sentences import received, worded
from localization.stored import LONGEST, Said, said, said_of, sentences, told, words_of

LANGUAGES = ("de", "fr", "es", "zh-hans", "ar")


def test_a_sentence_with_values_is_told_in_another_language() -> None:
    text = said("The server answered with HTTP {status}.", status=503)
    assert text == "The server answered with HTTP 503."
    kept = json.loads(json.dumps(words_of(text)))
    with override("de"):
        assert told(str(text), kept) == "Der Server hat mit HTTP 503 geantwortet."
    for same in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert words_of(same) == kept


def test_plurals_and_numbers_are_those_of_the_reader() -> None:
    text = said_of(
        "The files of {n} document are no longer there. No document was deleted.",
        "The files of {n} documents are no longer there. No document was deleted.",
        1200,
    )
    assert text.startswith("The files of 1,200 documents")
    with override("de"):
        assert told(text, words_of(text)).startswith("Die Dateien von 1.200 Dokumenten")


def test_sentences_stand_one_after_the_other() -> None:
    text = sentences("The file is safe.", LATER)
    assert text == "The file is safe. Try it again later."
    with override("fr"):
        assert told(text, words_of(text)) == "Le fichier n’est pas perdu. Réessayez plus tard."


def test_values_may_be_moments_and_sentences_themselves() -> None:
    at = datetime(2026, 3, 4, 15, 6, tzinfo=UTC)
    text = said("This answer was written on {time}.", time=at)
    assert text == "This answer was written on 4 March 2026, 15:06."
    what = [said_of("{title} ({n} page)", "{title} ({n} pages)", 3, title="Lease"), "Letter"]
    read = said("Read from beginning to end: {what}.", what=what)
    assert read == "Read from beginning to end: Lease (3 pages) and Letter."
    with override("de"):
        assert told(text, json.loads(json.dumps(words_of(text)))).endswith("4. März 2026, 15:06 geschrieben.")
        assert told(read, words_of(read)) == "Von Anfang bis Ende gelesen: Lease (3 Seiten) und Letter."


def test_a_row_from_before_shows_its_text() -> None:
    with override("de"):
        assert told("The file is safe.") == "Die Datei ist sicher gespeichert."
        assert told("Reading this file stopped at a fault.", None) == "Reading this file stopped at a fault."
        assert told("") == ""


@pytest.mark.parametrize(
    "words", [{}, {"message": 5}, {"message": "x", "values": "y"}, [], {"sentences": "x"}, "x"]
)
def test_what_makes_no_sense_leaves_the_text(words: object) -> None:
    """It may have come with an imported file."""
    assert told("The text.", words) == "The text."  # type: ignore[arg-type]


def test_nothing_but_values_is_put_into_a_sentence() -> None:
    words = {"message": "{a.__class__} {0} {a} {b}", "values": {"a": "x"}}
    text = "{a.__class__} {0} x {b}"
    assert told(text, words) == Said(words) == text


def within_each_other(levels: int, times: int) -> dict[str, object]:
    words: dict[str, object] = {"message": "x"}
    for _ in range(levels):
        words = {"message": "{a}" * times, "values": {"a": words}}
    return words


def within_lists(levels: int) -> list[object]:
    made: list[object] = []
    for _ in range(levels):
        made = [made]
    return made


def of_value(value: object) -> dict[str, object]:
    return {"message": "{a}", "values": {"a": value}}


HOSTILE = [
    within_each_other(3, 100),
    within_each_other(6, 100),
    of_value({"time": "2020-13-45T00:00:00"}),
    of_value({"time": "2020-01-01T00:00:00"}),
    of_value({"time": "0001-01-01T00:00:00+14:00"}),
    of_value({"time": "9999-12-31T23:59:59-12:00"}),
    of_value(10**1600),
    of_value(within_lists(960)),
    {"sentences": [of_value(10**1600)]},
    {"message": "{n}", "plural": "{n}", "values": {"n": 10**1600}},
]


@pytest.mark.parametrize("words", HOSTILE)
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_words_that_cannot_be_told_leave_the_text(words: dict[str, object], language: str) -> None:
    with override(language):
        assert told("The text.", words) == "The text."


@pytest.mark.parametrize(
    "words",
    [
        *HOSTILE,
        of_value(within_lists(5_000)),
        of_value(None),
        of_value(1.5),
        of_value(["x"]),
        of_value(of_value(of_value("x"))),
        {"message": "{a}{a}", "values": {"a": "x"}},
        {"message": "x", "values": {}, "more": "x"},
        {"message": "x" * 3_000, "values": {}},
        {"sentences": []},
        {"message": 5, "values": {}},
        {"message": "x"},
        [],
        None,
    ],
)
def test_of_another_process_only_plain_words_are_taken(words: object) -> None:
    assert words_of(received("The text.", words, 2_000)) is None


def test_the_words_of_another_process_are_told() -> None:
    why = worded("a group of weights has {n} dimensions", n=1234)
    text = worded("{name} is damaged or is no GGUF file: {why}.", name="a.gguf", why=why)
    taken = received(str(text), json.loads(json.dumps(words_of(text))), 2_000)
    assert words_of(taken) == words_of(text)
    with override("de"):
        assert told(taken, words_of(taken)) != text
        assert "1.234" in told(taken, words_of(taken))


def test_words_of_an_earlier_text_are_not_told() -> None:
    """A worker of a version that knows no words writes the text alone, and leaves the words of before."""
    before = words_of(said("The server answered with HTTP {status}.", status=503))
    with override("de"):
        assert told("The file is safe.", before) == "Die Datei ist sicher gespeichert."
        assert told("", before) == ""


def test_a_text_that_was_too_long_for_its_row_is_told_whole() -> None:
    text = said("The server answered with HTTP {status}.", status="9" * LONGEST)
    with override("de"):
        assert told(text[:LONGEST], words_of(text)).endswith("9 geantwortet.")


def test_a_failure_keeps_its_words_beside_its_text() -> None:
    columns = Failure(code="internal", message=fault(ValueError()), hint="Plain.").columns()
    assert columns["error_message"] == "This stopped at a fault in SVQ (ValueError)."
    assert columns["error_words"]["message"]["values"] == {"error": "ValueError"}
    assert Failure(code="x", message="Plain.", hint="").columns()["error_words"] is None


@pytest.mark.parametrize("language", ["en-gb", *LANGUAGES])
@pytest.mark.parametrize("many", [1, 2, 3, 4])
def test_lists_are_joined_as_the_common_locale_data_has_it(language: str, many: int) -> None:
    words = ["a", "b", "c", "d"][:many]
    locale = Locale.parse(language.replace("-", "_").replace("hans", "Hans").replace("gb", "GB"))
    with override(language):
        assert listed(words) == format_list(words, locale=locale)


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "“a”, “b” and 1 more"),
        ("de", "„a“, „b“ und 1 weitere"),
        ("fr", "« a », « b » et 1 autre"),
        ("zh-hans", "“a”、“b”"),
    ],
)
def test_words_are_quoted_as_their_language_does(language: str, shown: str) -> None:
    with override(language):
        assert quoted(["a", "b", "c"], 2).replace("\xa0", " ").startswith(shown.partition(" 1 ")[0])
        assert quoted(["a"]) == in_quotes("a")
        assert joined(["a"]) == "a"
