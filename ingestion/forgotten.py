"""Finding documents that wait to be read and that no job will read, and queueing them again.

A job can get lost: by a hand in the queue's table, a backup that was restored, a worker that died too often.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, TextField, Value
from django.db.models.functions import Concat
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from datasources.models import Document, DocumentQuerySet
from ingestion.queueing import passages_to_embed, queue
from ingestion.tasks import defer_embed_passages

UNTOUCHED = timedelta(minutes=2)  # after its upload a document is left to the job that came with it


@app.periodic(cron="* * * * *")
@app.task(queue="rescue", queueing_lock="queue_forgotten")
def queue_forgotten(timestamp: int) -> None:
    """Queue what nobody will read; what was tried too often fails there, with words for the person."""
    with transaction.atomic():
        waiting = list(forgotten().select_for_update(skip_locked=True, of=("self",)))
        passages = [document for document in waiting if document.passage is not None]
        together = passages_to_embed([document.pk for document in passages])
        for document in waiting:
            if document.pk not in together:
                queue(document)
        Document.objects.filter(pk__in=together).update(run_token=None)
        for datasource_id in {document.datasource_id for document in passages if document.pk in together}:
            defer_embed_passages(datasource_id)


def forgotten() -> DocumentQuerySet:
    """Unfinished documents without a job, in datasources where reading is not paused."""
    jobs = ProcrastinateJob.objects.filter(status__in=("todo", "doing"))
    waiting = Document.objects.unfinished().filter(
        datasource__paused=False, created__lt=timezone.now() - UNTOUCHED
    )
    own = jobs.filter(id=OuterRef("job_id"))
    shared = jobs.filter(lock=Concat(Value("passages:"), OuterRef("datasource_id"), output_field=TextField()))
    return waiting.exclude(Exists(own)).exclude(Exists(shared), passage__isnull=False)
