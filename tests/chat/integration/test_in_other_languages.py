"""Pages of answers are in the language of whoever looks; what is kept is English, and told to each reader."""

import pytest
from django.utils.translation import override

from accounts.models import User
from chat import notebook
from chat.exports import as_markdown
from chat.models import Turn, TurnStatus
from chat.web.answers.source import Source
from chat.web.answers.turn_view import view_of
from chat.web.files.word_file import word_file
from citations.choices import Support
from datasources.models import Datasource, Document, DocumentStatus
from tests.factories import make_document, make_turn
from tests.localization.files import texts_of
from tests.localization.pseudo import pseudo_language

pytestmark = pytest.mark.django_db

REASON = "The quote begins or ends inside a word."


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts)


@pytest.fixture
def turn(alice: User, document: Document) -> Turn:
    turn = make_turn(alice, document)
    turn.citations.update(support=Support.NEEDS_EYE, reason=REASON)
    return turn


def test_a_page_says_what_it_says_in_the_language_of_its_reader(turn: Turn) -> None:
    with pseudo_language():
        source = Source(turn.citations.get())
        assert [str(badge.words) for badge in source.badges] == ["⁅On the page⁆", "⁅Needs your eye⁆"]
        assert source.citation.where.startswith("⁅page")
        assert "⁅Answer ready⁆" in view_of(turn).announcement
        assert "⁅0 of 1 statement confirmed⁆" in view_of(turn).announcement


def test_what_the_search_has_shown_is_told_in_the_pages_language(alice: User, document: Document) -> None:
    turn = make_turn(alice, document, status=TurnStatus.NOT_FOUND, answer="")
    english = view_of(turn).explanation
    with pseudo_language():
        assert view_of(turn).headline == "⁅No passage stood out⁆"
        told = view_of(turn).explanation
    assert told.startswith("⁅SVQ searched the documents")
    assert told.replace("⁅", "").replace("⁆", "") == english


def test_what_is_kept_is_in_english_and_told_in_the_language_of_its_reader(alice: User, turn: Turn) -> None:
    turn.answer += "\n\nThe tapes are kept in a vault below the harbour."
    turn.save()
    with pseudo_language():
        note = notebook.keep_answer(alice, turn)
        told = notebook.sources_now(note.datasource_id, [note])[0][0]
        assert (told["said"], told["where"]) == (
            f"⁅⁅on the page⁆; ⁅⁅needs your eye⁆: ⁅{REASON}⁆⁆⁆",
            "⁅page 1⁆",
        )
        assert "words" not in told
    assert "1 sentence without a source" in note.text
    kept = note.sources[0]
    assert kept["said"] == f"on the page; needs your eye: {REASON}"
    assert "⁅" not in f"{note.text}{note.sources}"
    assert notebook.sources_now(note.datasource_id, [note])[0][0]["said"] == kept["said"]


def test_a_kept_source_says_when_its_file_was_deleted(alice: User, turn: Turn) -> None:
    note = notebook.keep_answer(alice, turn)
    Document.objects.update(status=DocumentStatus.DELETED)
    with override("de"):
        told = notebook.sources_now(note.datasource_id, [note])[0][0]["said"]
    assert told.startswith("Datei seither gelöscht; bitte selbst prüfen: ")


def test_a_source_from_before_its_words_were_kept_is_shown(alice: User, turn: Turn) -> None:
    note = notebook.keep_answer(alice, turn)
    del note.sources[0]["words"]
    with override("de"):
        told = notebook.sources_now(note.datasource_id, [note])[0][0]
    assert told["said"] == f"on the page; needs your eye: {REASON}"
    assert told["where"] == "Seite 1"


def test_files_are_in_the_language_of_who_takes_them(turn: Turn) -> None:
    english = as_markdown(turn)
    with pseudo_language():
        assert as_markdown(turn) == view_of(turn).markdown
        assert "## ⁅Sources⁆" in as_markdown(turn)
        word = texts_of("x.docx", word_file(turn.conversation, ""))
        assert any(text.startswith("⁅Written by SVQ on") for text in word)
    assert as_markdown(turn) == english
    assert "## Sources" in english
