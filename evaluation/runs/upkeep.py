"""What was paid for and nobody will ask for again: of runs that did not go on, and of questions that failed
to be made.
"""

from datetime import timedelta

from django.db.models.functions import Coalesce
from django.utils import timezone

from evaluation.models import PaidReply, PaidVector, PaidWriting, QuestionSet, Run

GOES_ON_WITHIN = timedelta(days=3)  # a run that ended before its end; later it pays again


def forget_paid() -> None:
    """Delete it: of runs that were stopped, failed or reached their budget, once they are late to go on."""
    ended = Run.objects.exclude(status__in=Run.unfinished).alias(ended=Coalesce("finished", "created"))
    late = ended.filter(ended__lt=timezone.now() - GOES_ON_WITHIN).values("pk")
    PaidVector.objects.filter(run__in=late).delete()
    PaidReply.objects.filter(run__in=late).delete()
    PaidWriting.objects.exclude(question_set__status__in=QuestionSet.unfinished).delete()
