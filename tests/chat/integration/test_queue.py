"""What whoever asked sees of a question that waits, and which questions wait for which."""

import asyncio

import pytest
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from chat import queue_places, services
from chat.models import Turn
from chat.web import stream
from datasources.models import Datasource
from events.models import Event
from jobs.threads import TURN_STARTS
from tests.people import browser_of
from tests.rest import Api

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def queued(contracts: Datasource, alice: User, bob: User) -> list[Turn]:
    """Three questions of one person, then one of another."""
    asked = [services.ask(alice, contracts, f"How is clause {n} ended?") for n in range(1, 4)]
    return [*asked, services.ask(bob, contracts, "Who is the supplier?")]


def test_the_page_says_how_many_questions_of_everybody_come_first(
    queued: list[Turn], alice: User, bob: User
) -> None:
    assert shown(queued[0], alice) == "Waiting: yours is next"
    assert shown(queued[1], alice) == "Waiting: 2 questions are before yours"
    assert shown(queued[2], alice) == "Waiting: 3 questions are before yours"
    assert shown(queued[3], bob) == "Waiting: 1 question is before yours"


def test_rest_says_it_too_until_the_question_is_taken_up(queued: list[Turn], alice: User) -> None:
    address = f"turns/{queued[2].pk}"
    assert Api(alice).get(address).json()["ahead"] == 3
    services.stop(queued[2])
    assert Api(alice).get(address).json()["ahead"] is None


def test_those_who_wait_are_told_when_they_have_come_nearer(
    queued: list[Turn], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_places, "_announced", float("-inf"))
    services.stop(queued[0])
    asyncio.run(TURN_STARTS.run(queue_places.announce_places))
    asyncio.run(
        TURN_STARTS.run(queue_places.announce_places)
    )  # at once again: nobody wants it every millisecond
    (told,) = Event.objects.filter(channel=queued[2].channel, kind="turn_waiting")
    assert told.data["ahead"] == 2
    html = stream.fragment(queued[2].channel, told, alice)
    assert html
    assert "Waiting: 2 questions are before yours" in html
    assert not Event.objects.filter(channel=queued[0].channel, kind="turn_waiting").exists()


def test_answers_without_a_language_model_have_a_queue_of_their_own(
    queued: list[Turn], contracts: Datasource, alice: User, settings: pytest.FixtureRequest
) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9", "any"  # type: ignore[attr-defined]
    written = services.ask(alice, contracts, "Who writes this?")
    queues = dict(ProcrastinateJob.objects.values_list("id", "queue_name"))
    assert queues[queued[0].job_id or 0] == "quotes"
    assert queues[written.job_id or 0] == "agent"
    assert queue_places.place_of(written) == 0  # it waits for none of those that copy passages


def shown(turn: Turn, person: User) -> str:
    """The line on what is going on."""
    address = reverse("conversation", args=[turn.conversation.datasource_id, turn.conversation_id])
    page = browser_of(person).get(address).content.decode()
    return page.partition('<span class="m">')[2].partition("</span>")[0]
