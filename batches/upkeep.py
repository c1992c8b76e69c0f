"""What was paid for and nobody will ask for again: of batches that did not go on."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from providers.spending.paid_replies import PaidReplyRow

GOES_ON_WITHIN = timedelta(days=3)  # a batch that ended before its end; later it pays again


def late(batches: QuerySet[Any], *ended: str) -> QuerySet[Any]:
    """Those that were stopped, failed or reached their budget so long ago that they are late to go on.
    `ended`: columns that say when, of which the first that is set counts.
    """
    over = batches.exclude(status__in=batches.model.unfinished).alias(ended=Coalesce(*ended))
    return over.filter(ended__lt=timezone.now() - GOES_ON_WITHIN)


def forget_replies(rows: type[PaidReplyRow], **of: Any) -> None:
    """Delete those kept for what the filter says. A reply that was paid for is worth less than the certainty
    that nothing of a purged document is left.
    """
    rows._default_manager.filter(**of).delete()
