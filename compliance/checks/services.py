"""What people do with assessments: check, stop, go on, delete."""

from decimal import Decimal
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts import quotas
from accounts.models import UsageKind
from compliance.checks.queueing import defer_check
from compliance.checks.run import model_of
from compliance.checks.scope import requirements_in
from compliance.checks.subjects import selection_of
from compliance.models import (
    Assessment,
    Attachment,
    Check,
    CheckStatus,
    Framework,
    Requirement,
    Subject,
)
from datasources.models import Datasource
from jobs.cancel import cancel_on_commit
from jobs.models import REQUEUED
from providers.roles import ModelRole, endpoint
from providers.spending.prices import Prices

if TYPE_CHECKING:
    from accounts.models import User


@transaction.atomic
def start_check(
    person: "User",
    framework: Framework,
    subject: Subject,
    *,
    scope: Requirement | None = None,
    token_budget: int | None = None,
    money_budget: Decimal | None = None,
    queued: bool = True,
) -> Check:
    """Hold the subject's documents against the scope; what has not changed since is not looked at again.

    The caller has checked that the person may edit the datasource. With `queued=False` the caller carries the
    check on itself. Raises ValidationError, QuotaUsedUp among them.
    """
    datasource = Datasource.objects.select_for_update().get(pk=subject.datasource_id)
    requirements = _requirements(datasource, framework, subject, scope)
    assessment, _ = Assessment.objects.get_or_create(
        framework=framework, subject=subject, defaults={"datasource": datasource}
    )
    if under_way := assessment.checks.filter(status__in=Check.unfinished).first():
        raise ValidationError(f"{under_way} of “{subject}” is under way. Wait, or stop it.", code="under_way")
    check = Check(
        assessment=assessment,
        scope=scope,
        asked_by=person,
        token_budget=token_budget,
        money_budget=money_budget,
        number=1 + (assessment.checks.aggregate(last=Max("number"))["last"] or 0),
        total=len(requirements),
    )
    _name_model(check, datasource)
    if queued:
        quotas.use(person, {UsageKind.QUESTIONS: len(requirements)})
    check.save()
    if queued:
        check.write(job_id=defer_check(check))
    return check


def _requirements(
    datasource: Datasource, framework: Framework, subject: Subject, scope: Requirement | None
) -> list[Requirement]:
    """What is looked at. Raises ValidationError where there is nothing, or nothing to hold against it."""
    if not Attachment.objects.filter(framework=framework, datasource=datasource).exists():
        raise ValidationError(
            f"“{framework}” is not used in “{datasource}”. Choose it there first.", code="detached"
        )
    requirements = requirements_in(framework, scope)
    if not requirements:
        raise ValidationError("Nothing in this part of the framework can be assessed.", code="empty_scope")
    if not selection_of(subject).documents:
        raise ValidationError(
            f"None of the documents of “{subject}” can be searched yet. Add some, or wait for them.",
            code="no_documents",
        )
    return requirements


def _name_model(check: Check, datasource: Datasource) -> None:
    """Tell the check its model and what that costs. Raises ValidationError."""
    server = endpoint(datasource, ModelRole.AGENT)
    prices = server.prices if server else Prices()
    check.prices = prices.as_json()
    model = model_of(check)
    check.model = model.name if model else ""
    if check.money_budget is not None and model and not prices.are_known:
        raise ValidationError(
            "A budget of money needs the model's prices. Nothing was started; limit the tokens instead.",
            code="prices_unknown",
        )


def stop(check: Check) -> bool:
    """End a check, keeping what was found; False when it has ended already."""
    with transaction.atomic():
        row = Check.objects.select_for_update().get(pk=check.pk)
        if not row.is_unfinished:
            return False
        row.write(status=CheckStatus.STOPPED, run_token=None, finished=timezone.now())
        cancel_on_commit(row.job_id)
    return True


def go_on(check: Check, *, raised: bool = False) -> None:
    """Queue a check again that was stopped, failed, or reached its budget. `raised`: without budgets.

    Raises ValidationError when there is nothing to go on with, or another check is under way.
    """
    with transaction.atomic():
        # As start_check does: of two that begin at once, one is told of the other.
        Datasource.objects.select_for_update().get(pk=check.assessment.datasource_id)
        row = Check.objects.select_for_update().get(pk=check.pk)
        others = Check.objects.filter(assessment=row.assessment_id, status__in=Check.unfinished)
        if row.is_unfinished or row.status == CheckStatus.DONE or others.exists():
            raise ValidationError(
                f"{row} has ended, or a check is under way. Check again.", code="not_stopped"
            )
        values = {"token_budget": None, "money_budget": None} if raised else {}
        row.write(**REQUEUED, status=CheckStatus.QUEUED, finished=None, **values)
        row.write(job_id=defer_check(row))


@transaction.atomic
def delete_assessment(assessment: Assessment) -> None:
    """With its checks, findings and reviews. The subject and the framework stay."""
    for check in assessment.checks.filter(status__in=Check.unfinished):
        stop(check)
    assessment.delete()
