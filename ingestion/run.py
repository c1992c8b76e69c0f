"""One run of a document's reading: its right to write, its reasons to stop, its progress."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F

from datasources.models import UNFINISHED, Datasource, Document, DocumentStatus
from ingestion import progress

PROGRESS_INTERVAL = 0.5  # seconds between two progress events of a document


class Stopped(Exception):
    """The run may not go on: cancelled, paused, deleted, taken over, or the worker shuts down."""


@dataclass(slots=True)
class Run:
    document: Document
    token: UUID
    should_stop: Callable[[], bool]
    announced: float = field(default=0.0)

    @contextmanager
    def writing(self) -> Iterator[Document]:
        """A transaction in which this run, and no other, may write about the document.

        A frozen worker that wakes up after its job was given to another finds its token gone.
        Raises Stopped.
        """
        if self.should_stop():
            raise Stopped
        with transaction.atomic():
            row = (
                Document.objects.select_for_update().filter(pk=self.document.pk, run_token=self.token).first()
            )
            if row is None:
                raise Stopped
            yield row

    def enter(self, status: DocumentStatus, total: int, done: int = 0) -> None:
        """Begin a stage."""
        with self.writing():
            self._record(status=status, stage_done=done, stage_total=total)
        self._announce()

    def advance(self, done: int) -> None:
        """Record the count of finished pages or chunks; called within `writing`."""
        self._record(stage_done=done)

    def tick(self) -> None:
        """Tell the log how far the stage is, at most twice a second."""
        if time.monotonic() - self.announced >= PROGRESS_INTERVAL:
            self._announce()

    def _announce(self) -> None:
        self.announced = time.monotonic()
        progress.announce(self.document, "document_progressed", ephemeral=True)

    def _record(self, **values: object) -> None:
        for name, value in values.items():
            setattr(self.document, name, value)
        Document.objects.filter(pk=self.document.pk).update(**values)


def is_paused(datasource_id: int) -> bool:
    """Whether reading waits. It looks only after a pause or resume under way has ended: a job that gives up
    because of a pause is then sure to be queued again by the resume.
    """
    with transaction.atomic():
        rows = Datasource.objects.select_for_update(no_key=True).filter(pk=datasource_id)
        return any(rows.values_list("paused", flat=True))


@transaction.atomic
def start(document_id: int, should_stop: Callable[[], bool]) -> Run | None:
    """Take the document over from whichever run had it; None when it is not to be read (any more, or now)."""
    document = Document.objects.filter(pk=document_id).first()
    if document is None or is_paused(document.datasource_id):
        return None
    token = uuid4()
    taken = Document.objects.filter(pk=document_id, status__in=UNFINISHED).update(
        run_token=token, attempts=F("attempts") + 1
    )
    if not taken:
        return None
    return Run(Document.objects.select_related("datasource").get(pk=document_id), token, should_stop)
