"""The end of every deletion: a job deletes the files and looks for what is left, until that is nothing.

It is queued by the transaction that deletes the rows, so neither a crash nor a storage that is away leaves a
file behind. The receipt keeps what the check has found.
"""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from datasources import derived
from datasources.derived import Subject
from datasources.lanes import lane_of
from datasources.models import Deletion, Document
from datasources.storage.files import count_stored, delete_folder, delete_stored, unused
from ingestion import progress
from jobs.retry import Backoff

LOST = timedelta(minutes=2)  # a deletion for which no job has been there for so long gets another


class StillLeft(OSError):
    """Something of what was deleted is there: another run has written it meanwhile. It is tried again."""


def lock_of(batch: UUID | str) -> str:
    """The jobs of a batch come one after the other."""
    return f"deletion:{batch}"


def defer(deletions: Sequence[Deletion]) -> None:
    """Queue the end of purged deletions of one batch; joins the caller's transaction."""
    job = finish_deletions.configure(lock=lock_of(deletions[0].batch))
    place = lane_of(deletions[0].datasource, deletions[0].owner_id).place()
    job.defer(deletions=[str(deletion.pk) for deletion in deletions], lane=place)


@app.task(queue="upkeep", retry=Backoff())
def finish_deletions(deletions: list[str]) -> None:
    """Finish deletions of one batch; one whose files can't be deleted now does not hold up the others."""
    failures: list[OSError] = []
    swept: list[Deletion] = []
    for deletion in Deletion.objects.unfinished().filter(pk__in=deletions).order_by("document"):
        try:
            delete_stored(deletion.files)
            swept.append(deletion)
        except OSError as failure:
            failures.append(failure)
    if swept:
        failures += _finish(swept)
    if failures:
        raise failures[0]


def _finish(deletions: Sequence[Deletion]) -> list[OSError]:
    """Check that nothing is left of deletions whose files are deleted. Raises OSError.

    All of them are counted together, and each for itself only if something is left.
    """
    with transaction.atomic():
        derived.sweep(subject_of(deletions))
    left: dict[Deletion, dict[str, int]] = {}
    if counted(deletions, stored=True):
        left = {one: counts for one in deletions if (counts := counted([one], stored=True))}
    for deletion, counts in left.items():
        Deletion.objects.filter(pk=deletion.pk).update(left=counts)
    _complete([deletion for deletion in deletions if deletion not in left])
    return [
        StillLeft(f"There is still something of “{deletion.name}”: {counts}")
        for deletion, counts in left.items()
    ]


def _complete(deletions: Sequence[Deletion]) -> None:
    rows = Deletion.objects.filter(pk__in=[deletion.pk for deletion in deletions])
    rows.update(left={}, completed=timezone.now(), files=[], contents=[])
    for deletion in deletions:
        if deletion.document:
            progress.tell(deletion.datasource, "deletion_finished", {"deletion": str(deletion.pk)})
        else:
            delete_folder(deletion.datasource)


def subject_of(deletions: Sequence[Deletion]) -> Subject:
    """What deletions of one batch delete, taken together."""
    return Subject(
        datasource_id=deletions[0].datasource,
        documents=[pk for deletion in deletions for pk in deletion.versions],
        contents=[content for deletion in deletions for content in deletion.contents],
        whole=deletions[0].document is None,
    )


def counted(deletions: Sequence[Deletion], *, stored: bool = False) -> dict[str, int]:
    """How much there is by kind, without kinds of which there is none. Raises OSError.

    Files are counted by their rows, or as the storage has them.
    """
    subject = subject_of(deletions)
    files = [name for deletion in deletions for name in deletion.files]
    counts = {
        "documents": Document.objects.filter(pk__in=subject.documents).count(),
        "files": count_stored(files) if stored else len(unused(files, besides=subject.documents)),
        **derived.count(subject),
    }
    return {kind: count for kind, count in counts.items() if count}


@app.periodic(cron="*/2 * * * *")
@app.task(queue="rescue", queueing_lock="resume_deletions")
def resume_deletions(timestamp: int) -> None:
    """Queue the end of deletions whose job was lost, as after it had failed too often with its workers."""
    late = Deletion.objects.filter(completed=None, requested__lt=timezone.now() - LOST)
    for batch in set(late.values_list("batch", flat=True)):
        jobs = ProcrastinateJob.objects.filter(lock=lock_of(batch), status__in=["todo", "doing"])
        if not jobs.exists():
            _resume(batch)


def _resume(batch: UUID) -> None:
    if purged := list(Deletion.objects.unfinished().filter(batch=batch)):
        defer(purged)
    if Deletion.objects.undoable().filter(batch=batch).exists():
        purge = app.configure_task("ingestion.lifecycle.deletion.purge_deleted", lock=lock_of(batch))
        purge.defer(batch=str(batch))
