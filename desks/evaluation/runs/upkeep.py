"""What was paid for and nobody will ask for again: of runs that did not go on, and of questions that failed
to be made.
"""

from batches.upkeep import forget_replies, late
from desks.evaluation.models import PaidReply, PaidVector, PaidWriting, QuestionSet, Run


def forget_paid() -> None:
    """Delete it: of runs that were stopped, failed or reached their budget, once they are late to go on."""
    runs = late(Run.objects.order_by(), "finished", "created").values("pk")
    PaidVector.objects.filter(run__in=runs).delete()
    forget_replies(PaidReply, run__in=runs)
    PaidWriting.objects.exclude(question_set__status__in=QuestionSet.unfinished).delete()
