"""Comparing assessments: vendors checked against the same framework, and one vendor over several checks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from datasources.models import Datasource
from desks.compliance.checks.standing import Standing, counts_of, found_until_each, standings_of
from desks.compliance.models import Assessment, Check, CheckStatus, Framework, Requirement, Subject, Verdict

MOST_CHECKS = 12  # of one vendor, the last ones


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorColumn:
    """standings: by the requirement's number."""

    subject: Subject
    assessment: Assessment
    counts: Mapping[str, int]
    standings: Mapping[int, Standing]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a check found otherwise than the one before."""

    requirement: Requirement
    before: Verdict | None
    after: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One finished check; counts: of the findings as they were then, without what people said."""

    check: Check
    counts: Mapping[str, int]
    changes: list[Change] = field(default_factory=list)


def vendors(
    datasource: Datasource, framework: Framework, requirements: Sequence[Requirement]
) -> list[VendorColumn]:
    rows = Assessment.objects.filter(datasource=datasource, framework=framework).select_related("subject")
    stood = standings_of(list(rows), requirements)
    return [
        VendorColumn(
            subject=each.subject,
            assessment=each,
            counts=counts_of(stood[each.pk]),
            standings={row.requirement.pk: row for row in stood[each.pk]},
        )
        for each in rows
    ]


def over_time(assessment: Assessment, requirements: Sequence[Requirement]) -> list[Moment]:
    """The oldest first."""
    done = assessment.checks.filter(status=CheckStatus.DONE).order_by("-number")
    checks = list(done[:MOST_CHECKS])[::-1]
    moments: list[Moment] = []
    before: dict[int, Verdict] = {}
    for check, found in zip(checks, found_until_each(assessment, checks), strict=True):
        counts: dict[str, int] = {}
        for row in requirements:
            name = str(found.get(row.pk, "unchecked"))
            counts[name] = counts.get(name, 0) + 1
        changes = [
            Change(requirement=row, before=before.get(row.pk), after=found[row.pk])
            for row in requirements
            if moments and row.pk in found and before.get(row.pk) != found[row.pk]
        ]
        moments.append(Moment(check=check, counts=counts, changes=changes))
        before = found
    return moments
