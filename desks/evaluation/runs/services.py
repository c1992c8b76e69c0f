"""What people do with runs: start, stop, go on, delete."""

from collections.abc import Sequence
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import quotas
from accounts.models import UsageKind
from batches.budget import MOST_MONEY, Budget, check_priced, prices_now
from batches.models import UnderWay, begin_again, locked_row
from batches.models import stop as stop_batch
from citations.judge import judge_of
from datasources.models import Datasource
from desks.evaluation.models import QuestionSet, Run, RunStatus
from desks.evaluation.questions.services import locked
from desks.evaluation.runs.announcing import tell_end
from desks.evaluation.runs.frozen import frozen, roles_asked
from desks.evaluation.runs.queueing import defer_run
from desks.evaluation.runs.variants import Variant, checked_variants
from providers.roles import ModelRole, endpoint
from retrieval.query import Rerank

if TYPE_CHECKING:
    from accounts.models import User


MOST_TOKENS = 2**62


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
    """A run for each variant that has none under way; the caller has checked that the person may edit.

    With `queued=False` the caller carries them on itself, and they do not count as questions.
    Raises ValidationError, QuotaUsedUp among them, and UnderWay where nothing is left to start.
    """
    asked = checked_variants(variants)
    if not 0 <= (token_budget or 0) <= MOST_TOKENS or not 0 <= (money_budget or 0) < MOST_MONEY:
        raise ValidationError(
            _("No run can have such a budget. Leave it empty, or change it."), code="budget"
        )
    datasource = question_set.datasource
    _check_model(datasource, asked)
    check_priced(money_budget, prices_now(datasource, *roles_asked(asked, judged=judged)))
    judge = _judge(datasource) if judged else ""
    with transaction.atomic():
        Datasource.objects.select_for_update().filter(pk=datasource.pk).first()  # goes with its sets
        question_set = locked(question_set)
        runs = [
            Run(
                datasource=datasource,
                question_set=question_set,
                version=question_set.version,
                variant=variant.written,
                label=variant.label[:200],
                frozen=frozen(datasource, variant, judge, person.pk),
                token_budget=token_budget,
                money_budget=money_budget,
                asked_by=person,
                is_scheduled=scheduled,
            )
            for variant in asked
        ]
        if queued:
            runs = _not_under_way(runs)
        last = datasource.evaluation_runs.aggregate(last=Max("number"))["last"] or 0
        for number, run in enumerate(runs, start=last + 1):
            run.number = number
        _save(runs, person, queued=queued)
    return runs


def _not_under_way(runs: Sequence[Run]) -> list[Run]:
    """Those that would not find out what another is finding out: of the same version of the set, answered in
    the same way. What a command carries on itself has no job, and may have been killed. Raises UnderWay where
    none is left.
    """
    first = runs[0]
    same = Run.objects.filter(
        reduce(or_, (Q(variant=run.variant, frozen=run.frozen) for run in runs)),
        question_set=first.question_set,
        version=first.version,
        is_scheduled=first.is_scheduled,
        status__in=Run.unfinished,
        job_id__isnull=False,
    )
    begun = {run.variant: run for run in same}
    left = [run for run in runs if run.variant not in begun]
    if not left:
        raise UnderWay(next(iter(begun.values())), first.question_set.name)
    return left


def _check_model(datasource: Datasource, variants: Sequence[Variant]) -> None:
    """Raises ValidationError where one names a model, or has one rank, and there is none."""
    named = next((each for each in variants if each.model or each.rerank == Rerank.LLM), None)
    if named and endpoint(datasource, ModelRole.AGENT) is None:
        raise ValidationError(
            _(
                "No language model is connected for “{written}”. Connect one, or choose another variant."
            ).format(written=named.written),
            code="no_model",
        )


def _judge(datasource: Datasource) -> str:
    """The name of the model that judges. Raises ValidationError."""
    judge = judge_of(datasource)
    if judge is None:
        raise ValidationError(
            _("No model is connected that could judge. Connect one, or run without a judge."), code="no_judge"
        )
    return judge.name


def _save(runs: Sequence[Run], person: "User", *, queued: bool) -> None:
    """Keep and queue them. Raises ValidationError, QuotaUsedUp among them."""
    questions = runs[0].questions().count()
    if not questions:
        raise ValidationError(
            _("“{name}” has no questions yet. Add some, or have them made.").format(
                name=runs[0].question_set.name
            ),
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
    return stop_batch(run, lambda row: tell_end(row, RunStatus.STOPPED), finished=timezone.now())


def go_on(run: Run, budget: Budget | None = None) -> None:
    """Queue a run again that was stopped, failed, or reached its budget: with that one, or with what it may
    use from now on.

    Raises ValidationError when there is nothing to go on with.
    """
    roles = roles_asked([Variant.parse(run.variant)], judged=bool(run.frozen["judge"]))
    check_priced(budget.money if budget else None, prices_now(run.datasource, *roles))
    with transaction.atomic():
        row = locked_row(run)
        if row.is_unfinished or row.status == RunStatus.DONE:
            raise ValidationError(
                _("{row} has ended or is under way. Start another one.").format(row=row), code="not_stopped"
            )
        begin_again(row, defer_run, budget, finished=None)


def delete(run: Run) -> None:
    stop(run)
    run.delete()
