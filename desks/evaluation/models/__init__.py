"""The rows of evaluations; Django looks for an app's models here."""

from desks.evaluation.models.runs import PaidReply, PaidVector, Result, Run, RunQuerySet, RunStatus
from desks.evaluation.models.schedules import Schedule
from desks.evaluation.models.sets import (
    GoldQuote,
    Kind,
    Origin,
    PaidWriting,
    Question,
    QuestionQuerySet,
    QuestionSet,
    QuestionSetQuerySet,
    SetStatus,
)
from desks.evaluation.models.verdicts import Verdict

__all__ = [
    "GoldQuote",
    "Kind",
    "Origin",
    "PaidReply",
    "PaidVector",
    "PaidWriting",
    "Question",
    "QuestionQuerySet",
    "QuestionSet",
    "QuestionSetQuerySet",
    "Result",
    "Run",
    "RunQuerySet",
    "RunStatus",
    "Schedule",
    "SetStatus",
    "Verdict",
]
