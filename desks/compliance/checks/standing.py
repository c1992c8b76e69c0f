"""The state of an assessment: for each requirement what was found, and what people said about it."""

import hashlib
import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from desks.compliance.models import (
    GAPS,
    Assessment,
    Check,
    Finding,
    Requirement,
    Review,
    ReviewKind,
    Verdict,
)

VERDICTS = (ReviewKind.AGREE, ReviewKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One requirement. `review` is the last verdict of a person, `assigned` the last assignment."""

    requirement: Requirement
    finding: Finding | None = None
    review: Review | None = None
    assigned: Review | None = None

    @property
    def verdict(self) -> Verdict | None:
        """A person's, else what was found; None before the first check."""
        if self.review:
            return Verdict(self.review.verdict)
        return Verdict(self.finding.verdict) if self.finding else None

    @property
    def difference(self) -> Verdict | None:
        """What a later check found that the person did not know of."""
        if self.review is None or self.finding is None or self.finding.verdict == self.review.found:
            return None
        found = Verdict(self.finding.verdict)
        return None if found in (Verdict(self.review.verdict), Verdict.TO_JUDGE) else found

    @property
    def is_reviewed(self) -> bool:
        return self.review is not None and self.difference is None

    @property
    def is_gap(self) -> bool:
        return self.verdict in GAPS

    @property
    def is_judged(self) -> bool:
        return self.verdict not in (None, Verdict.TO_JUDGE)

    @property
    def is_checked(self) -> bool:
        return self.verdict is not None


def standings(
    assessment: Assessment, requirements: Sequence[Requirement], *, whole: bool = False
) -> list[Standing]:
    """In the order of the requirements. `whole`: with the words of the findings, not their verdicts alone."""
    return standings_of([assessment], requirements, whole=whole)[assessment.pk]


def standings_of(
    assessments: Sequence[Assessment], requirements: Sequence[Requirement], *, whole: bool = False
) -> dict[int, list[Standing]]:
    """The same of several assessments, by number, in as few statements as of one."""
    findings = current_findings(assessments, requirements, whole=whole)
    reviews = last_reviews(assessments, VERDICTS)
    assigned = last_reviews(assessments, (ReviewKind.ASSIGN,))
    return {
        each.pk: [
            Standing(
                requirement=row,
                finding=findings.get((each.pk, row.pk)),
                review=reviews.get((each.pk, row.pk)),
                assigned=assigned.get((each.pk, row.pk)),
            )
            for row in requirements
        ]
        for each in assessments
    }


def current_findings(
    assessments: Iterable[Assessment], requirements: Iterable[Requirement], *, whole: bool = False
) -> dict[tuple[int, int], Finding]:
    """By assessment and requirement."""
    rows = Finding.objects.filter(
        assessment__in=assessments, is_current=True, requirement__in=[row.pk for row in requirements]
    )
    left_out = ("reply",) if whole else ("reply", "parts", "draft", "reason", "read")
    return {(row.assessment_id, row.requirement_id): row for row in rows.defer(*left_out)}


def last_reviews(assessments: Iterable[Assessment], kinds: Sequence[str]) -> dict[tuple[int, int], Review]:
    """By assessment and requirement."""
    rows = Review.objects.filter(assessment__in=assessments, kind__in=kinds)
    rows = rows.select_related("person", "assignee").order_by("pk")
    return {(row.assessment_id, row.requirement_id): row for row in rows}


def counts_of(rows: Iterable[Standing]) -> dict[str, int]:
    """By verdict; “unchecked” are those without one."""
    counts: dict[str, int] = {}
    for row in rows:
        name = str(row.verdict) if row.verdict else "unchecked"
        counts[name] = counts.get(name, 0) + 1
    return counts


def found_until_each(assessment: Assessment, checks: Sequence[Check]) -> Iterator[dict[int, Verdict]]:
    """What had been found of each requirement when each of the checks ended, which are in order."""
    rows = Finding.objects.filter(assessment=assessment, error="").order_by("made_in__number", "pk")
    told = deque(rows.values_list("made_in__number", "requirement", "verdict"))
    found: dict[int, Verdict] = {}
    for check in checks:
        while told and told[0][0] <= check.number:
            _, requirement, verdict = told.popleft()
            found[requirement] = Verdict(verdict)
        yield dict(found)


FORM = 1  # of how requirements are judged; a release that judges otherwise counts on


def content_of(requirement: Requirement, above: Sequence[Requirement], documents: Sequence[str]) -> str:
    """SHA-256 of all that a verdict rests on besides the model: the requirement, the files' SHA-256."""
    words = [requirement.ref, requirement.title, requirement.text, *(node.text for node in above)]
    told = json.dumps([FORM, words, [node.name for node in above], sorted(documents)])
    return hashlib.sha256(told.encode()).hexdigest()


def above_each(requirements: Iterable[Requirement]) -> dict[int, list[Requirement]]:
    """The nodes above each of a framework's requirements, the outermost first. Takes all, in order."""
    stack: list[Requirement] = []
    above: dict[int, list[Requirement]] = {}
    for row in requirements:
        del stack[row.depth :]
        above[row.pk] = list(stack)
        stack.append(row)
    return above
