"""Reading a document again after it failed, and stopping its reading."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from datasources.models import UNFINISHED, Document, DocumentStatus
from ingestion import progress
from ingestion.queueing import queue
from jobs.cancel import cancel_on_commit


@transaction.atomic
def retry(document: Document) -> None:
    """Read a failed or cancelled document again, from where it stopped. Raises ValidationError."""
    document = Document.objects.select_for_update().get(pk=document.pk)
    if document.status not in {DocumentStatus.FAILED, DocumentStatus.CANCELLED}:
        raise ValidationError(_("Only failed or cancelled documents can be retried."), code="not_failed")
    document.pages.ocr_failed().update(ocr="")
    queue(document, attempts=0)


@transaction.atomic
def cancel(document: Document) -> None:
    """Stop the reading of a document; what was read so far is kept for a later retry.

    The run that is under way loses its token here, so nothing that it still does can be stored.
    Raises ValidationError.
    """
    document = Document.objects.select_for_update().get(pk=document.pk)
    if document.status not in UNFINISHED:
        raise ValidationError(
            _("The document is not being read, so there is nothing to cancel."), code="finished"
        )
    cancel_on_commit(document.job_id)
    document.write(status=DocumentStatus.CANCELLED, run_token=None)
    progress.announce(document, "document_cancelled")
