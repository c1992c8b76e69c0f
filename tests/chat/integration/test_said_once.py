"""Pages of answers say each thing once: a question, a quote that was kept, passages that say little."""

from typing import Any

import pytest

from accounts.models import User
from chat.models import Turn, TurnStatus
from chat.notebook import keep_answer
from datasources.models import Datasource
from tests.factories import make_document, make_turn
from tests.people import browser_of

pytestmark = pytest.mark.django_db

QUOTE = "Backups are kept for 35 days."
QUESTION = "How long are backups kept?"


@pytest.fixture
def turn(contracts: Datasource, alice: User) -> Turn:
    return make_turn(alice, make_document(contracts, "Agreement", QUOTE), QUESTION, answer=f"> {QUOTE} ⟦1⟧")


def page_of(turn: Turn) -> str:
    conversation = turn.conversation
    address = f"/d/{conversation.datasource_id}/chat/{conversation.pk}/"
    return browser_of(conversation.user).get(address).content.decode()


def test_the_only_question_is_not_the_title_above_itself(turn: Turn) -> None:
    assert f'<h1 class="vh">{QUESTION}</h1>' in page_of(turn)
    turn.conversation.title = "Backups"
    turn.conversation.save()
    assert '<h1 class="trunc">Backups</h1>' in page_of(turn)


def test_a_quote_that_a_note_has_is_not_told_again_with_its_source(turn: Turn, alice: User) -> None:
    keep_answer(alice, turn)
    notebook = browser_of(alice).get(f"/d/{turn.conversation.datasource_id}/notebook/").content.decode()
    assert notebook.count(QUOTE) == 1
    assert "Agreement, page 1" in notebook


@pytest.mark.parametrize(
    ("question", "score", "is_near"),
    [
        ("Which days?", 0.1, True),
        ("Capital of Mongolia?", 0.1, False),
        ("For which time do tapes stay?", 0.5, True),
        ("备份保留多久？", 0.7, True),
    ],
)
def test_passages_that_are_near_by_no_word_and_no_meaning_are_folded(
    turn: Turn, question: str, score: float, is_near: bool
) -> None:
    (cited,) = turn.citations.all()
    passage: dict[str, Any] = {"document": cited.document_id, "title": "Agreement", "pages": [1]}
    passage |= {"chunk": 1, "text": QUOTE, "score": score}
    Turn.objects.filter(pk=turn.pk).update(
        status=TurnStatus.NOT_FOUND, answer="", question=question, nearest=[passage]
    )
    assert ('<details class="nf-p" open>' in page_of(turn)) is is_near
    assert QUOTE in page_of(turn)
