"""Questions under an answer lead on, have an answer themselves, and go with their document."""

import io
from typing import Any

import pytest
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from answering.extractive.model import QuotesModel
from answering.suggestions.trial import Trial
from chat import services
from chat.models import Turn, TurnStatus
from chat.turns import follow_ups as made
from chat.turns.follow_ups import made_for, make_follow_ups
from chat.web.follow_up_views import LOOKS
from datasources.models import Datasource, Document
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle import deletion
from providers.connections.services import Offer, connect
from tests.people import browser_of
from tests.rest import Api

pytestmark = pytest.mark.django_db(transaction=True)

LEASE = """Lease of the warehouse

1.1 The Tenant shall repair the roof of the warehouse within 30 days of a written request.

1.2 The yearly rent of the warehouse is £48,000 until the first review.

1.3 The Landlord may end the lease only if the rent has been overdue for sixty days.

1.4 The deposit is £12,000 and is returned at the end of the lease.
"""
REPAIR = "How soon must the Tenant repair the roof of the warehouse?"


@pytest.fixture
def turn(contracts: Datasource, alice: User, work: Any) -> Turn:
    """A question about the lease, answered with its words."""
    accept_upload(contracts, alice, "lease.txt", io.BytesIO(LEASE.encode()))
    work()
    asked = services.ask(alice, contracts, REPAIR)
    work()
    asked.refresh_from_db()
    assert asked.status == TurnStatus.QUOTES
    return asked


def shown(turn: Turn, look: int = 0) -> str:
    address = f"{reverse('follow_ups', args=[turn.pk])}?look={look}"
    return browser_of(turn.conversation.user).get(address, headers={"HX-Request": "true"}).content.decode()


def follow_ups(turn: Turn) -> list[str]:
    make_follow_ups(turn)
    made = made_for(turn)
    assert made is not None
    return made


def test_a_worker_makes_them_for_the_page_that_shows_the_answer(turn: Turn, work: Any) -> None:
    assert "?look=1" in shown(turn)
    assert "?look=2" in shown(turn, 1)
    assert ProcrastinateJob.objects.filter(task_name__endswith=".lead_on").count() == 1, "told once"
    work()
    page = shown(turn, 2)
    assert "data-ask" in page
    assert "look=" not in page


def test_a_page_does_not_look_for_ever(turn: Turn) -> None:
    assert "look=" not in shown(turn, LOOKS)


def test_each_has_an_answer_and_none_was_asked_before(turn: Turn, contracts: Datasource) -> None:
    offered = follow_ups(turn)
    assert 1 <= len(offered) <= made.SHOWN
    assert REPAIR not in offered
    for question in offered:
        assert Trial(contracts).documents(question), question
        assert question.replace("£", "") in shown(turn).replace("£", "").replace("&#x27;", "'")


def test_they_are_made_once(turn: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = follow_ups(turn)

    def refuse(*_: Any) -> None:
        raise AssertionError("tried again")

    monkeypatch.setattr(QuotesModel, "proceed", refuse)
    assert follow_ups(Turn.objects.get(pk=turn.pk)) == offered


def test_they_go_when_their_document_goes(turn: Turn, alice: User) -> None:
    assert follow_ups(turn)
    deletion.delete(Document.objects.get(), alice)
    turn.refresh_from_db()
    assert turn.follow_ups == []


def test_where_nothing_was_found_none_are_offered(turn: Turn) -> None:
    turn.write(status=TurnStatus.NOT_FOUND)
    assert follow_ups(turn) == []


def test_programs_get_them_and_strangers_do_not(turn: Turn, alice: User, bob: User, work: Any) -> None:
    told = Api(alice).get(f"turns/{turn.pk}/follow-ups")
    assert told.json() == {"questions": [], "ready": False}
    work()
    turn.refresh_from_db()
    told = Api(alice).get(f"turns/{turn.pk}/follow-ups")
    assert told.json() == {"questions": made_for(turn), "ready": True}
    assert made_for(turn)
    assert Api(bob).get(f"turns/{turn.pk}/follow-ups").status_code == 404
    assert browser_of(bob).get(reverse("follow_ups", args=[turn.pk])).status_code == 404


def test_after_a_model_is_connected_the_last_question_can_be_asked_again(turn: Turn, alice: User) -> None:
    there = reverse("conversation", args=[turn.conversation.datasource_id, turn.conversation_id])
    page = browser_of(alice)
    assert "Ask the last question again" not in page.get(there).content.decode()
    connect("agent", Offer(provider="other", address="https://api.example.org/v1", key="", model="mistral"))
    told = page.get(there).content.decode()
    assert "mistral is connected." in told
    page.post(reverse("ask_again", args=[turn.pk]), {"question": turn.question})
    new = turn.conversation.turns.get(number=2)
    assert (new.question, new.after) == (turn.question, 0)
    assert "<b>Asked again with mistral.</b>" in page.get(there).content.decode()  # while it waits
    assert "1 of 2" in page.get(there, {"turn": 1}).content.decode()
    new.write(status=TurnStatus.ANSWERED, answer="Within 30 days.", model="mistral")
    told = " ".join(page.get(there).content.decode().split())
    assert "<b>Asked again with mistral.</b> The passages from before are kept." in told
    assert f'href="{there}?turn=1">Show the passages' in told
    assert "The passages from before" not in page.get(there, {"turn": 1}).content.decode()


def test_who_connects_a_model_sees_an_example_of_what_it_would_be_sent(
    turn: Turn, alice: User, bob: User
) -> None:
    """As the agent's own search finds them; where answers are masked, it says that these words are not."""
    there = reverse("conversation", args=[turn.conversation.datasource_id, turn.conversation_id])
    asked = {"next": f"{there}?turn=1"}
    told = " ".join(browser_of(alice).get(reverse("model_sample"), asked).content.decode().split())
    assert f"Question: {REPAIR}" in told
    assert "[c1] lease, page 1: “" in told
    assert "repair the roof of the warehouse within 30 days" in told
    assert "model gets it as it stands" not in told
    services.change_answer_settings(turn.conversation.datasource, personal_data="mask")
    masked = browser_of(alice).get(reverse("model_sample"), asked).content.decode()
    assert "the model gets it as it stands" in masked
    for stranger, place in (
        (bob, there),
        (alice, "/"),
        (alice, "/nowhere/"),
        (alice, f"/turn/{turn.pk}/again/"),
    ):
        assert browser_of(stranger).get(reverse("model_sample"), {"next": place}).status_code == 204
