"""A conversation as a Word file: what is in it, and what hostile words cannot do to it."""

import io
from datetime import UTC, datetime
from typing import Any

import docx
import pytest
from django.urls import reverse

from accounts.models import User
from chat.models import Turn, TurnStatus
from chat.web.files import word_file
from citations.choices import OnPage
from citations.marks import mark
from datasources.models import Datasource
from tests.factories import TEXT, make_document, make_turn
from tests.people import browser_of

pytestmark = pytest.mark.django_db

ANSWER = f"""{TEXT} {mark(1)}

- first
- second
  - within

| what | how long |
|---|---|
| backups | 30 days |
"""


@pytest.fixture
def turn(contracts: Datasource, alice: User) -> Turn:
    return make_turn(alice, make_document(contracts), answer=ANSWER, model="qwen3:14b")


def address(turn: Turn) -> str:
    conversation = turn.conversation
    return reverse("export_conversation_word", args=[conversation.datasource_id, conversation.pk])


def file_of(turn: Turn, person: User) -> Any:
    response = browser_of(person).get(address(turn))
    assert response.headers["Content-Disposition"].endswith('.docx"')
    return docx.Document(io.BytesIO(response.content))


def words(file: Any) -> str:
    return "\n".join(paragraph.text for paragraph in file.paragraphs)


def test_it_has_answers_sources_pages_and_the_files_hashes(turn: Turn, alice: User) -> None:
    file = file_of(turn, alice)
    said = words(file)
    assert f"{TEXT} [1]" in said
    assert "[1] Questionnaire, page 1 (on the page; supports the claim, checked by code)" in said
    assert "Answered by qwen3:14b." in said
    assert f"/d/{turn.conversation.datasource_id}/chat/{turn.conversation_id}/?turn=1&cite=1" in said
    assert [p.text for p in file.paragraphs if p.style.name == "List Bullet"] == ["first", "second", "within"]
    assert len(file.inline_shapes) == 1
    first, last = file.tables
    assert [cell.text for cell in first.rows[1].cells] == ["backups", "30 days"]
    document = turn.citations.get().document
    assert document
    assert [cell.text for cell in last.rows[1].cells] == [
        "Questionnaire",
        "Questionnaire.pdf",
        document.sha256,
    ]


def test_it_says_in_which_time_zone_a_question_was_asked(turn: Turn, alice: User) -> None:
    Turn.objects.update(created=datetime(2026, 11, 30, 14, 5, tzinfo=UTC))
    assert "Asked on 30 November 2026 at 14:05 UTC." in words(file_of(turn, alice))


def test_what_was_not_found_says_so(turn: Turn, alice: User) -> None:
    Turn.objects.update(status=TurnStatus.NOT_FOUND, answer="")
    said = words(file_of(turn, alice))
    assert "No passage stood" in said
    assert "Sources" not in said
    assert "Documents cited" not in said


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"status": TurnStatus.UNPROVEN}, "Not proven by your documents."),
        ({"status": TurnStatus.PARTIAL}, "Partly answered."),
        ({"status": TurnStatus.QUOTES, "quotes_only": True}, "Copied from the documents"),
        (
            {"status": TurnStatus.FAILED, "error_message": "The server is away."},
            "Failed. The server is away.",
        ),
    ],
)
def test_what_is_no_full_answer_says_so(
    turn: Turn, alice: User, values: dict[str, Any], expected: str
) -> None:
    Turn.objects.update(**values)
    assert expected in words(file_of(turn, alice))


def test_an_exact_count_is_said_once(turn: Turn, alice: User) -> None:
    Turn.objects.update(notices=[{"code": "counted", "text": "12 documents have it.", "documents": []}])
    assert words(file_of(turn, alice)).count("12 documents have it.") == 1


def test_a_quote_without_a_page_and_odd_letters_break_nothing(turn: Turn, alice: User) -> None:
    Turn.objects.update(question="How\x0blong\x1f are <b>backups</b> kept?", answer=f"\x0b5 < 6 {mark(1)}")
    turn.citations.update(on_page=OnPage.ABSENT, quote="", written="in\x02vented", pages=[], boxes={})
    said = words(file_of(turn, alice))
    assert "How long are <b>backups</b> kept?" in said or "Howlong are <b>backups</b> kept?" in said
    assert "no source found" in said
    assert "“invented”" in said


def test_pages_beyond_the_limit_are_counted(turn: Turn, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_file, "MOST_PICTURES", 0)
    file = file_of(turn, alice)
    assert not file.inline_shapes
    assert "1 quote is shown without the page, which could not be drawn here." in words(file)


def test_masked_words_have_no_picture(turn: Turn, alice: User) -> None:
    turn.citations.update(masked=["e-mail addresses"])
    assert not file_of(turn, alice).inline_shapes


def test_only_its_person_gets_it(turn: Turn, bob: User, charlie: User) -> None:
    assert {browser_of(person).get(address(turn)).status_code for person in (bob, charlie)} == {404}
