"""Answers outside of SVQ: the documented JSON, and Markdown with numbered sources."""

import pytest

from accounts.models import User
from chat.exports import as_json, as_markdown, conversation_file
from chat.marks import mark
from chat.models import Citation, OnPage, TurnStatus
from datasources.models import Datasource, Document
from tests.factories import make_document, make_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts)


def test_an_answer_in_markdown_names_each_source(alice: User, document: Document) -> None:
    turn = make_turn(alice, document, answer=f"Thirty days. {mark(1)} Tapes rot. {mark(2)}")
    turn.citations.update(pages=[3, 4], quote="kept  for\nthirty days")
    Citation.objects.create(turn=turn, n=2, claim="Tapes rot.", written="tapes rot", on_page=OnPage.ABSENT)
    assert as_markdown(turn).splitlines() == [
        "# How long are backups kept?",
        "",
        "Thirty days. [1] Tapes rot. [2]",
        "",
        "## Sources",
        "",
        "1. Questionnaire, page 3, 4 (on the page; supports the claim): “kept for thirty days”",
        "2. no source found: “tapes rot”",
    ]


def test_a_question_without_an_answer_says_why(alice: User, document: Document) -> None:
    turn = make_turn(alice, document, status=TurnStatus.NOT_FOUND, answer="")
    turn.citations.all().delete()
    assert as_markdown(turn) == "# How long are backups kept?\n\n*Not found in your documents.*\n"


def test_json_has_numbers_in_place_of_marks_and_an_error_only_after_a_failure(
    alice: User, document: Document
) -> None:
    turn = make_turn(alice, document, answer=f"Thirty days. {mark(1)}")
    told = as_json(turn)
    assert (told["answer"], told["error"]) == ("Thirty days. [1]", None)
    assert [one["n"] for one in told["citations"]] == [1]
    turn.error_code, turn.error_message, turn.error_hint = "busy", "The server is busy.", "Try again."
    assert as_json(turn)["error"] == {
        "code": "busy", "message": "The server is busy.", "hint": "Try again.",
    }  # fmt: skip


def test_a_source_that_was_not_found_keeps_the_words_that_were_written(
    alice: User, document: Document
) -> None:
    turn = make_turn(alice, document)
    turn.citations.update(quote="", written="never said", start=None, end=None, document=None)
    (told,) = as_json(turn)["citations"]
    assert (told["quote"], told["start"], told["document"]["id"]) == ("never said", None, None)


def test_a_conversation_is_one_file_named_after_it(alice: User, document: Document) -> None:
    turn = make_turn(alice, document, question="Müll?")
    file = conversation_file(turn.conversation)
    assert file.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert "M%C3%BCll%3F.md" in file.headers["Content-Disposition"]
    assert file.content.decode().startswith("# Müll?\n")
