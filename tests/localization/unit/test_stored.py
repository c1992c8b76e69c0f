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
from localization.sentences import received
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


@pytest.mark.parametrize(
    "values",
    [
        {"a": {"time": "2020-13-45T00:00:00"}},
        {"a": {"time": "0001-01-01T00:00:00+14:00"}},
        {"a": 10**2000},
        {"a": {"message": "{b}" * 100, "values": {"b": {"message": "{c}" * 100, "values": {"c": "x" * 99}}}}},
    ],
)
def test_words_that_make_no_sentence_leave_the_text(values: object) -> None:
    assert told("It failed.", {"message": "{a}" * 100, "values": values}) == "It failed."


def test_values_within_values_are_put_together_once_each() -> None:
    words: object = ""
    for _level in range(30):  # each twice as long to put together, if it were put together for each name
        words = {"message": "{a}{a}", "values": {"a": words}}
    assert told("It failed.", words) == "It failed."  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [10**2000, -(10**18), json.loads("[" * 400 + "]" * 400)])
def test_words_of_another_process_that_nobody_could_read_again_are_not_kept(value: object) -> None:
    words = {"message": "{a} failed.", "values": {"a": value}}
    assert words_of(received("It failed.", words, 10_000)) is None
    assert words_of(received("It failed.", words | {"values": {"a": ["x", 3]}}, 10_000)) is not None
