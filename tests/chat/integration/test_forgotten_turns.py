"""Questions that wait while no job will answer them."""

from datetime import timedelta

import pytest
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from chat import services
from chat.models import Turn
from chat.turns.forgotten import queue_forgotten_turns
from datasources.models import Datasource

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asked(contracts: Datasource, alice: User) -> Turn:
    """A question that has waited for a while."""
    turn = services.ask(alice, contracts, "How do we end it?")
    Turn.objects.filter(pk=turn.pk).update(created=timezone.now() - timedelta(minutes=5))
    return turn


def end_job(turn: Turn, status: str) -> None:
    ProcrastinateJob.objects.filter(lock=f"conversation:{turn.conversation_id}").update(status=status)


def jobs_of(turn: Turn) -> list[str]:
    jobs = ProcrastinateJob.objects.filter(lock=f"conversation:{turn.conversation_id}", status="todo")
    return [job.args["turn_id"] for job in jobs]


def test_a_question_whose_job_was_lost_is_queued_again(asked: Turn) -> None:
    end_job(asked, "failed")
    queue_forgotten_turns(timestamp=0)
    asked.refresh_from_db()
    assert jobs_of(asked) == [str(asked.pk)]
    queue_forgotten_turns(timestamp=0)
    assert len(jobs_of(asked)) == 1


def test_a_question_with_a_job_or_asked_just_now_is_left_alone(asked: Turn) -> None:
    queue_forgotten_turns(timestamp=0)
    assert len(jobs_of(asked)) == 1
    end_job(asked, "failed")
    Turn.objects.filter(pk=asked.pk).update(created=timezone.now())
    queue_forgotten_turns(timestamp=0)
    assert jobs_of(asked) == []


def test_an_answered_question_is_left_alone(asked: Turn) -> None:
    end_job(asked, "succeeded")
    Turn.objects.filter(pk=asked.pk).update(status="answered", finished=timezone.now())
    queue_forgotten_turns(timestamp=0)
    assert jobs_of(asked) == []
