"""A run in three numbers (right passage found, answered as expected, wrongly answered) and what to look at.

Everything is read from a result's scores. The expected answer has pieces, each with quotes that prove it
(`desks.evaluation.metrics.evidence`): `relevance` tells whether one of them was retrieved, `completeness`
which share of them the answer has.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from desks.evaluation.models import Kind, Result, Run

ENOUGH = 20  # questions; fewer say little about a difference between two runs


class Became(TextChoices):
    """What became of a question. In the order in which one looks at them."""

    WRONG = "wrong", _("Wrongly answered")
    FAILED = "failed", _("Not answered")
    MISSED = "missed", _("Passage missed")
    UNUSED = "unused", _("Found, not used")
    PARTLY = "partly", _("Partly answered")
    UNMEASURED = "unmeasured", _("Expected answer gone")
    RIGHT = "right", _("As expected")


def became(result: Result) -> Became:
    if result.error:
        return Became.FAILED
    if result.question.kind == Kind.NONE:
        return Became.RIGHT if result.refused else Became.WRONG
    complete = result.scores.get("completeness")
    if complete is None:  # what it needs is gone from the documents
        return Became.UNMEASURED
    if not result.refused and complete == 1:
        return Became.RIGHT
    if not result.refused:
        return Became.PARTLY if complete else Became.WRONG
    return Became.UNUSED if passage_found(result) else Became.MISSED


def passage_found(result: Result) -> bool:
    """Whether a passage with a piece of the expected answer was among those that were read; in a run that
    only searched, among the first five.
    """
    measure = "hit_at_5" if result.outcome == "searched" else "relevance"
    return result.scores.get(measure, 0.0) > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """Counts of questions. asked: those with a result. with_source: those whose answer is in the documents.
    answers: whether the run answered, or only searched.
    """

    asked: int
    with_source: int
    found: int
    right: int
    wrong: int
    refused: int
    answers: bool

    @property
    def is_small(self) -> bool:
        """Whether there are too few questions to compare runs."""
        return self.asked < ENOUGH


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A question that did not go as expected."""

    result: Result
    became: Became


def headline_of(run: Run, results: Sequence[Result]) -> Headline:
    """results: of that run, each with its question."""
    answers = bool(run.frozen["answers"])
    sourced = [result for result in results if result.question.kind != Kind.NONE]
    counts = Counter(became(result) for result in results) if answers else Counter[Became]()
    return Headline(
        asked=len(results),
        with_source=len(sourced),
        found=sum(passage_found(result) for result in sourced),
        right=counts[Became.RIGHT],
        wrong=counts[Became.WRONG],
        refused=sum(result.refused for result in sourced),
        answers=answers,
    )


def worth_a_look(run: Run, results: Sequence[Result]) -> list[Look]:
    """What did not go as expected, wrong answers first."""
    if not run.frozen["answers"]:
        lost = [each for each in results if each.question.kind != Kind.NONE and not passage_found(each)]
        return [Look(result=result, became=Became.MISSED) for result in lost]
    looks = [Look(result=result, became=became(result)) for result in results]
    order = list(Became)
    return sorted(
        (look for look in looks if look.became != Became.RIGHT), key=lambda look: order.index(look.became)
    )
