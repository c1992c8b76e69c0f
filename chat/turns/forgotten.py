"""Queues questions again that wait for an answer but have no job."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from chat.models import UNFINISHED, Turn
from chat.services import defer_answer

NAME = "chat.answering.forgotten.queue_forgotten_turns"  # in the queue, also of workers of the version before
UNTOUCHED = timedelta(minutes=1)  # after it was asked a question is left to the job that came with it


@app.periodic(cron="* * * * *")
@app.task(name=NAME, queue="rescue", queueing_lock="queue_forgotten_turns")
def queue_forgotten_turns(timestamp: int) -> None:
    """A question that was tried too often fails in its job, with a message for the person."""
    jobs = ProcrastinateJob.objects.filter(id=OuterRef("job_id"), status__in=("todo", "doing"))
    asked = Turn.objects.filter(
        status__in=UNFINISHED, job_id__isnull=False, created__lt=timezone.now() - UNTOUCHED
    )
    with transaction.atomic():
        for turn in (
            asked.exclude(Exists(jobs))
            .select_related("conversation__datasource")
            .select_for_update(skip_locked=True, of=("self",))
        ):
            turn.write(job_id=defer_answer(turn))
