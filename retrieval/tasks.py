"""The job that tests indexes regularly."""

from contextlib import suppress
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from procrastinate.contrib.django import app

from ingestion.models import SpaceStatus, VectorSpace
from jobs.time_limit import TimeLimit
from providers.protocols import ProviderError
from retrieval import recall

EVERY = timedelta(days=7)
CHECK_SECONDS = 1800


@app.periodic(cron="*/15 * * * *")
@app.task(
    queue="heavy",
    lock="check_indexes",
    queueing_lock="check_indexes",
    task_middleware=[TimeLimit(CHECK_SECONDS)],
)
def check_indexes(timestamp: int) -> None:
    """Test each index that is new, or was not tested for a week."""
    due = Q(recall_tested=None) | Q(recall_tested__lt=timezone.now() - EVERY)
    spaces = VectorSpace.objects.filter(due, status=SpaceStatus.CURRENT, indexed=True)
    for space in spaces.select_related("datasource"):
        with suppress(ProviderError):  # the next round asks again
            recall.measure(space.datasource)
