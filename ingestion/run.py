"""A run that reads a document: its stages, and its progress as the event log tells it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils.translation import gettext_noop

from datasources.models import Datasource, Document, DocumentStatus
from formats import ExtractionError
from ingestion import progress
from jobs.failures import Failure
from jobs.runs import FencedRun, claim
from metrics import traces

PROGRESS_INTERVAL = 0.5  # seconds between two progress events of a document


class DocumentRun(FencedRun[Document]):
    """One run of a document's reading."""

    deadly = gettext_noop("This file stopped the reader twice, so it is not read again by itself.")
    safe = gettext_noop("The file is safe.")
    may_recognise = True  # False: a document with pages for OCR is queued for that
    announced = 0.0  # when the log was told of progress, in seconds of time.monotonic

    @property
    def document(self) -> Document:
        return self.row

    @contextmanager
    def writing_in_datasource(self) -> Iterator[Document]:
        """As `writing`, with the datasource locked before the document, as whoever deletes does."""
        with transaction.atomic():
            Datasource.objects.select_for_update(no_key=True).filter(pk=self.document.datasource_id).first()
            with self.writing() as document:
                yield document

    def enter(self, status: DocumentStatus, total: int, done: int = 0) -> None:
        """Begin a stage."""
        with self.writing():
            self.record(status=status, stage_done=done, stage_total=total)
        self._announce_progress()

    def advance(self, done: int) -> None:
        """Record the count of finished pages or chunks; called within `writing`."""
        self.record(stage_done=done, unended=0)

    def tick(self) -> None:
        """Tell the log how far the stage is, at most twice a second."""
        if time.monotonic() - self.announced >= PROGRESS_INTERVAL:
            self._announce_progress()

    def explain(self, error: Exception) -> Failure:
        return super().explain(ExtractionError("memory") if isinstance(error, MemoryError) else error)

    def announce(self, failure: Failure) -> None:
        self.document.refresh_from_db()
        traces.whole("document", self.document.pk, self.document.created, status=DocumentStatus.FAILED)
        progress.announce(self.document, "document_failed")

    def _announce_progress(self) -> None:
        self.announced = time.monotonic()
        progress.announce(self.document, "document_progressed", ephemeral=True)

    def record(self, **values: object) -> None:
        """Keep columns of the document, here and in its row; called within `writing`."""
        self.document.write(**values)


def is_paused(datasource_id: int) -> bool:
    """Whether reading waits. It looks only after a pause or resume under way has ended: a job that gives up
    because of a pause is then sure to be queued again by the resume.
    """
    with transaction.atomic():
        rows = Datasource.objects.select_for_update(no_key=True).filter(pk=datasource_id)
        return any(rows.values_list("paused", flat=True))


def start(
    document_id: int, should_stop: Callable[[], bool] = lambda: False, *, may_recognise: bool = True
) -> DocumentRun | None:
    """Take the document over from whichever run had it; None when it is not to be read (any more, or now)."""
    with transaction.atomic():
        document = Document.objects.filter(pk=document_id).first()
        if document is None or is_paused(document.datasource_id):
            return None
        claimed = claim(Document.objects.select_related("datasource").filter(pk=document_id))
    if claimed is None:
        return None
    if claimed.attempts == 1:
        traces.waited("queue", claimed.created)
    run = DocumentRun(claimed, should_stop)
    run.may_recognise = may_recognise
    return None if run.gives_up() else run
