"""What people say of verdicts: agree, change with a reason, assign. Nothing that was said is ever changed."""

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from datasources.models import Role
from desks.compliance.checks.standing import current_findings
from desks.compliance.models import Assessment, Requirement, Review, ReviewKind, Verdict
from formats.base.characters import visible_name

if TYPE_CHECKING:
    from accounts.models import User

LONGEST_REASON = 1_000


@transaction.atomic
def agree(assessment: Assessment, requirement: Requirement, person: "User") -> Review:
    """With what the last check found. Raises ValidationError where it found no verdict."""
    found = _found(assessment, requirement)
    if found in (None, Verdict.TO_JUDGE):
        raise ValidationError(
            _("There is no verdict to agree with yet. Choose one, and say why."), code="nothing_found"
        )
    return _said(assessment, requirement, person, ReviewKind.AGREE, verdict=found, found=found)


@transaction.atomic
def change(
    assessment: Assessment, requirement: Requirement, person: "User", verdict: str, reason: str
) -> Review:
    """A person's own verdict stands, whatever later checks find. Raises ValidationError."""
    reason = visible_name(reason)
    if verdict not in set(Verdict) - {Verdict.TO_JUDGE}:
        raise ValidationError(_("Choose covered, partial, missing or not applicable."), code="verdict")
    if not reason or len(reason) > LONGEST_REASON:
        raise ValidationError(
            _("Give a reason of at most {longest_reason} characters.").format(
                longest_reason=f"{LONGEST_REASON:,}"
            ),
            code="reason",
        )
    return _said(
        assessment,
        requirement,
        person,
        ReviewKind.CHANGE,
        verdict=verdict,
        reason=reason,
        found=_found(assessment, requirement) or "",
    )


@transaction.atomic
def assign(assessment: Assessment, requirement: Requirement, person: "User", to: "User | None") -> Review:
    """To somebody who may read here; None takes the assignment back. Raises ValidationError."""
    if to is not None and not assessment.datasource.allows(to, Role.VIEWER):
        raise ValidationError(
            _("{to} may not read “{datasource}”.").format(to=to, datasource=assessment.datasource),
            code="no_access",
        )
    return _said(assessment, requirement, person, ReviewKind.ASSIGN, assignee=to)


def _found(assessment: Assessment, requirement: Requirement) -> Verdict | None:
    finding = current_findings([assessment], [requirement]).get((assessment.pk, requirement.pk))
    return Verdict(finding.verdict) if finding else None


def _said(
    assessment: Assessment, requirement: Requirement, person: "User", kind: ReviewKind, **values: object
) -> Review:
    if requirement.framework_id != assessment.framework_id or not requirement.is_assessable:
        raise ValidationError(_("This point is not part of the check."), code="foreign")
    review = Review(assessment=assessment, requirement=requirement, person=person, kind=kind)
    for name, value in values.items():
        setattr(review, name, value)
    review.save()
    return review
