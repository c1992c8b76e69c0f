"""What is not kept: the words that a result took from a deleted document, and vectors of runs that ended."""

from collections.abc import Collection
from datetime import timedelta

from django.db.models.functions import Coalesce
from django.utils import timezone

from evaluation.models import PaidVector, Result, Run

DELETED = "The document was deleted."
GOES_ON_WITHIN = timedelta(days=3)  # a run that ended before its end; later it embeds again


def forget_vectors() -> None:
    """Delete those of runs that were stopped, failed or reached their budget, and did not go on."""
    ended = Run.objects.exclude(status__in=Run.unfinished).alias(ended=Coalesce("finished", "created"))
    late = ended.filter(ended__lt=timezone.now() - GOES_ON_WITHIN)
    PaidVector.objects.filter(run__in=late.values("pk")).delete()


def without_documents(result: Result, documents: Collection[int]) -> bool:
    """Its scores stay. Change the result in memory; False when it has nothing of these documents."""
    gone = set(documents)
    if not any(each["document"] in gone for each in (*result.citations, *result.passages)):
        return False
    if any(each["document"] in gone for each in result.citations):
        result.answer = DELETED
        result.trace, result.judged = [], {}
    for each in result.citations:
        if each["document"] in gone:
            each |= {
                "document": None,
                "quote": "",
                "claim": "",
                "reason": DELETED,
                "start": None,
                "end": None,
            }
    result.passages = [each for each in result.passages if each["document"] not in gone]
    return True
