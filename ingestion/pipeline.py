"""Reading a document: the registered steps one after the other, then its publication."""

from django.db import transaction
from django.utils import timezone

from datasources import derived
from datasources.derived import Change
from datasources.models import Document, DocumentStatus
from ingestion import progress
from ingestion.indexes import statistics
from ingestion.run import DocumentRun
from ingestion.step import steps
from metrics import STAGE_SECONDS, traces


def run(run: DocumentRun) -> None:
    """Bring the document to ready. Raises ExtractionError for a file that can't be read, Stopped."""
    for step in steps():
        with STAGE_SECONDS.labels("reading", step.name).time(), traces.span(f"stage {step.name}"):
            step.run(run)
    statistics.refresh()
    publish(run)
    statistics.refresh()


def publish(run: DocumentRun) -> None:
    """Make the document searchable; the versions that it replaces are searched no more from the same moment.

    File and pages of the old version stay, so that old citations still open.
    """
    document = run.document
    with run.writing():
        traces.whole("document", document.pk, document.created, status=DocumentStatus.READY)
        document.write(
            status=DocumentStatus.READY, ready_at=timezone.now(), run_token=None, read_elsewhere=False
        )
        replaced = _replaced(document)
        superseded = {old.pk: document.pk for old in replaced}
        derived.apply(
            Change(datasource_id=document.datasource_id, published=[document.pk], superseded=superseded)
        )
        for old in replaced:
            if old.status == DocumentStatus.DELETED:  # still to be purged, or brought back as a version
                old.write(status_before=old.status_before and DocumentStatus.SUPERSEDED)
            else:
                old.write(status=DocumentStatus.SUPERSEDED, run_token=None)
            old.parts.update(part_of=document)
        transaction.on_commit(lambda: progress.announce(document, "document_ready"))


def _replaced(document: Document) -> list[Document]:
    """The version before it; where that was never read, also the one before, which has answered till now."""
    found: list[Document] = []
    while old := Document.objects.select_for_update().filter(replacements=document).first():
        found.append(old)
        if old.ready_at:
            break
        document = old
    return found


def publish_passages(datasource_id: int, document_ids: list[int]) -> None:
    """Make embedded passages searchable; called within a transaction, once for each of many batches."""
    for step in steps():
        step.run_passages(document_ids)
    derived.apply(Change(datasource_id=datasource_id, published=document_ids, more_follows=True))
