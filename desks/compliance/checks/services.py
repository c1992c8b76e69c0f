"""What people do with assessments: check, stop, go on, delete."""

from decimal import Decimal
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext

from accounts import quotas
from accounts.models import UsageKind
from batches.budget import Budget, check_priced, prices_now
from batches.models import begin_again, locked_row, refuse_second
from batches.models import stop as stop_batch
from datasources.models import Datasource
from desks.compliance.checks.queueing import defer_check
from desks.compliance.checks.run import model_of
from desks.compliance.checks.scope import requirements_in
from desks.compliance.checks.subjects import selection_of
from desks.compliance.models import (
    Assessment,
    Attachment,
    Check,
    CheckStatus,
    Framework,
    Requirement,
    Subject,
)
from providers.roles import ModelRole
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
    refuse_second(assessment.checks.all(), subject)
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
            gettext("“{framework}” is not used in “{datasource}”. Choose it there first.").format(
                framework=framework, datasource=datasource
            ),
            code="detached",
        )
    requirements = requirements_in(framework, scope)
    if not requirements:
        raise ValidationError(gettext("Nothing in this part of the list can be checked."), code="empty_scope")
    if not selection_of(subject).documents:
        raise ValidationError(
            gettext(
                "None of the documents of “{subject}” can be searched yet. Add some, or wait for them."
            ).format(subject=subject),
            code="no_documents",
        )
    return requirements


def _name_model(check: Check, datasource: Datasource) -> None:
    """Tell the check its model and what that costs. Raises ValidationError."""
    prices, model = prices_now(datasource, ModelRole.AGENT), model_of(datasource)
    check.prices = (prices[0] if prices else Prices()).as_json()
    check.model = model.name if model else ""
    if model:
        check_priced(check.money_budget, prices)


def stop(check: Check) -> bool:
    """End a check, keeping what was found; False when it has ended already."""
    return stop_batch(check, finished=timezone.now())


def go_on(check: Check, budget: Budget | None = None) -> None:
    """Queue a check again that was stopped, failed, or reached its budget: with that one, or with what it may
    use from now on.

    Raises ValidationError when there is nothing to go on with, or another check is under way.
    """
    check_priced(budget.money if budget else None, prices_now(check.assessment.datasource, ModelRole.AGENT))
    with transaction.atomic():
        # As start_check does: of two that begin at once, one is told of the other.
        Datasource.objects.select_for_update().get(pk=check.assessment.datasource_id)
        row = locked_row(check)
        others = Check.objects.filter(assessment=row.assessment_id, status__in=Check.unfinished)
        if row.is_unfinished or row.status == CheckStatus.DONE or others.exists():
            raise ValidationError(
                gettext("{row} has ended, or a check is under way. Check again.").format(row=row),
                code="not_stopped",
            )
        begin_again(row, defer_check, budget, finished=None)


@transaction.atomic
def delete_assessment(assessment: Assessment) -> None:
    """With its checks, findings and reviews. The subject and the framework stay."""
    for check in assessment.checks.filter(status__in=Check.unfinished):
        stop(check)
    assessment.delete()
