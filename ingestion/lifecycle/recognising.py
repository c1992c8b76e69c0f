"""Having the pictures of a document read by OCR because a person asked for it."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from datasources import derived
from datasources.derived import Change
from datasources.models import Document, DocumentStatus
from datasources.scan_readers import why_not
from ingestion.queueing import queue


@transaction.atomic
def recognise(document: Document) -> None:
    """Read the pages that need OCR, whatever the datasource's setting says, then split the document again.

    One that was ready is not searched until then. Raises ValidationError.
    """
    document = Document.objects.select_for_update().get(pk=document.pk)
    if document.status not in (DocumentStatus.READY, DocumentStatus.FAILED, DocumentStatus.CANCELLED):
        raise ValidationError(_("This document is being read already."), code="unfinished")
    if refusal := why_not(document.datasource.scan_reader, document.datasource):
        raise ValidationError(refusal, code="scan_reader")
    if not document.pages.without_text().exists():
        raise ValidationError(_("No page of this document needs OCR."), code="nothing_to_recognise")
    if document.chunk_count:
        derived.apply(Change(datasource_id=document.datasource_id, rechunked=[document.pk]))
    queue(document, chunk_count=0, ready_at=None, attempts=0, recognise=True)
