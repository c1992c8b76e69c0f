"""Runs that start by themselves: after documents were added, once for all that are read together."""

from contextlib import suppress

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_noop
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from accounts.models import User
from datasources.lanes import lane_of
from datasources.models import Datasource, Role
from datasources.refusals import sentence_of
from desks.evaluation.models import QuestionSet, Run, RunStatus, Schedule
from desks.evaluation.reports.thresholds import parse_all
from desks.evaluation.runs.services import start_runs
from desks.evaluation.runs.variants import Variant
from localization.stored import LONGEST, words_of

SETTLE_SECONDS = 10  # uploads of so long are followed together
BUSY_SECONDS = 60  # between two looks while documents are read, or the last such run is under way
PRIORITY = -10  # work that people wait for comes first
NO_EDITOR = gettext_noop(
    "The person whose name it runs under can no longer edit this datasource. Save the schedule again."
)


def schedule(
    question_set: QuestionSet,
    person: User,
    *,
    variant: str = "",
    judged: bool = False,
    thresholds: str = "",
    token_budget: int | None = None,
) -> Schedule:
    """Run the set after each upload, as this person. Raises ValidationError."""
    Variant.parse(variant)
    parse_all(thresholds)
    values = {
        "variant": variant,
        "judged": judged,
        "thresholds": thresholds,
        "token_budget": token_budget,
        "person": person,
        "problem": "",
        "problem_words": None,
    }
    row, _ = Schedule.objects.update_or_create(question_set=question_set, defaults=values)
    return row


def unschedule(question_set: QuestionSet) -> None:
    Schedule.objects.filter(question_set=question_set).delete()


def defer_scheduled(datasource_id: int, seconds: int | None = None) -> None:
    """Queue the runs, unless they wait in the queue already; joins the caller's transaction."""
    if not Schedule.objects.filter(question_set__datasource=datasource_id).exists():
        return
    task = app.configure_task(
        "evaluate_scheduled",
        allow_unknown=False,
        queueing_lock=f"scheduled-evaluation:{datasource_id}",
        schedule_in={"seconds": SETTLE_SECONDS if seconds is None else seconds},
        priority=PRIORITY,
    )
    with suppress(AlreadyEnqueued), transaction.atomic():
        task.defer(datasource_id=datasource_id, lane=lane_of(datasource_id).place())


def start_scheduled(datasource_id: int) -> None:
    """Start a run for each schedule, or look again later."""
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    if datasource is None or datasource.archived:  # the schedules rest
        return
    is_reading = not datasource.paused and datasource.documents.unfinished().exists()
    if is_reading or _under_way(datasource):
        defer_scheduled(datasource_id, BUSY_SECONDS)
        return
    rows = Schedule.objects.filter(question_set__datasource=datasource)
    for row in rows.select_related("question_set__datasource", "person"):
        problem = _started(row)
        Schedule.objects.filter(pk=row.pk).update(problem=problem[:LONGEST], problem_words=words_of(problem))


def _under_way(datasource: Datasource) -> bool:
    return Run.objects.filter(
        datasource=datasource, is_scheduled=True, status__in=(RunStatus.QUEUED, RunStatus.RUNNING)
    ).exists()


def _started(row: Schedule) -> str:
    """Start its run; else why not."""
    if not row.question_set.datasource.allows(row.person, Role.EDITOR):
        return NO_EDITOR
    try:
        start_runs(
            row.person,
            row.question_set,
            [row.variant],
            judged=row.judged,
            token_budget=row.token_budget,
            scheduled=True,
        )
    except ValidationError as refusal:
        return sentence_of(refusal)
    return ""
