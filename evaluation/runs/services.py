"""What people do with runs: start, stop, go on, delete."""

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts import quotas
from accounts.models import UsageKind
from citations.judge import judge_of
from datasources.models import Datasource
from evaluation.models import QuestionSet, Run, RunStatus
from evaluation.questions.services import locked
from evaluation.runs.announcing import tell_end
from evaluation.runs.frozen import frozen
from evaluation.runs.queueing import defer_run
from evaluation.runs.variants import Variant, checked_variants
from jobs.cancel import cancel_on_commit
from jobs.models import REQUEUED
from providers.roles import ModelRole, endpoint
from retrieval.query import Rerank

if TYPE_CHECKING:
    from accounts.models import User


MOST_TOKENS, MOST_MONEY = 2**62, 1_000_000


def start_runs(
    person: "User",
    question_set: QuestionSet,
    variants: Sequence[str] = (),
    *,
    judged: bool = False,
    token_budget: int | None = None,
    money_budget: Decimal | None = None,
    queued: bool = True,
    scheduled: bool = False,
) -> list[Run]:
    """A run for each variant; the caller has checked that the person may edit here.

    With `queued=False` the caller carries them on itself, and they do not count as questions.
    Raises ValidationError, QuotaUsedUp among them.
    """
    asked = checked_variants(variants)
    if not 0 <= (token_budget or 0) <= MOST_TOKENS or not 0 <= (money_budget or 0) < MOST_MONEY:
        raise ValidationError("No run can have such a budget. Leave it empty, or change it.", code="budget")
    datasource = question_set.datasource
    _check_model(datasource, asked)
    judge = _judge(datasource) if judged else ""
    with transaction.atomic():
        Datasource.objects.select_for_update().filter(pk=datasource.pk).first()  # goes with its sets
        question_set = locked(question_set)
        number = datasource.evaluation_runs.aggregate(last=Max("number"))["last"] or 0
        runs = [
            Run(
                datasource=datasource,
                question_set=question_set,
                version=question_set.version,
                number=number + place,
                variant=variant.written,
                label=variant.label[:200],
                frozen=frozen(datasource, variant, judge, person.pk),
                token_budget=token_budget,
                money_budget=money_budget,
                asked_by=person,
                is_scheduled=scheduled,
            )
            for place, variant in enumerate(asked, start=1)
        ]
        _save(runs, person, queued=queued)
    return runs


def _check_model(datasource: Datasource, variants: Sequence[Variant]) -> None:
    """Raises ValidationError where one names a model, or has one rank, and there is none."""
    named = next((each for each in variants if each.model or each.rerank == Rerank.LLM), None)
    if named and endpoint(datasource, ModelRole.AGENT) is None:
        raise ValidationError(
            f"No language model is connected for “{named.written}”. Connect one, or choose another variant.",
            code="no_model",
        )


def _judge(datasource: Datasource) -> str:
    """The name of the model that judges. Raises ValidationError."""
    judge = judge_of(datasource)
    if judge is None:
        raise ValidationError(
            "No model is connected that could judge. Connect one, or run without a judge.", code="no_judge"
        )
    return judge.name


def _save(runs: Sequence[Run], person: "User", *, queued: bool) -> None:
    """Keep and queue them. Raises ValidationError, QuotaUsedUp among them."""
    questions = runs[0].questions().count()
    if not questions:
        raise ValidationError(
            f"“{runs[0].question_set.name}” has no questions yet. Add some, or have them made.",
            code="no_questions",
        )
    if queued:
        quotas.use(person, {UsageKind.QUESTIONS: questions * len(runs)})
    for run in runs:
        run.save()
        if queued:
            run.write(job_id=defer_run(run))


def stop(run: Run) -> bool:
    """End a run, keeping its results; False when it has ended already."""
    with transaction.atomic():
        row = Run.objects.select_for_update().get(pk=run.pk)
        if not row.is_unfinished:
            return False
        row.write(status=RunStatus.STOPPED, run_token=None, finished=timezone.now())
        tell_end(row, RunStatus.STOPPED)
        cancel_on_commit(row.job_id)
    return True


def go_on(
    run: Run, *, token_budget: int | None = None, money_budget: Decimal | None = None, raised: bool = False
) -> None:
    """Queue a run again that was stopped, failed, or reached its budget. `raised`: take the budgets given.

    Raises ValidationError when there is nothing to go on with.
    """
    with transaction.atomic():
        row = Run.objects.select_for_update().get(pk=run.pk)
        if row.is_unfinished or row.status == RunStatus.DONE:
            raise ValidationError(f"{row} has ended or is under way. Start another one.", code="not_stopped")
        values = {"token_budget": token_budget, "money_budget": money_budget} if raised else {}
        row.write(**REQUEUED, status=RunStatus.QUEUED, finished=None, **values)
        row.write(job_id=defer_run(row))


def delete(run: Run) -> None:
    stop(run)
    run.delete()
