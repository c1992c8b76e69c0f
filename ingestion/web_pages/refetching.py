"""Fetching a web page again: what has changed becomes a new version of its document."""

import io

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from procrastinate.contrib.django import app

from datasources.lanes import lane_of
from datasources.models import Document, DocumentStatus, WebPage
from ingestion import progress
from ingestion.adding.allowance import Upload
from ingestion.adding.upload import sha256_of, store, supersede_unread
from ingestion.web_pages.adding import check_allowed
from ingestion.web_pages.errors import FetchError
from ingestion.web_pages.snapshot import Snapshot, take_snapshot
from jobs.retry import Backoff

UNDER_WAY = "It is being fetched again."
SAME = "It has not changed since it was fetched."


@transaction.atomic
def fetch_again(document: Document) -> None:
    """Queue it. Raises ValidationError where there is nothing to fetch."""
    check_allowed()
    page = WebPage.objects.select_for_update().filter(document=document).first()
    if page is None or page.fetched is None or document.status != DocumentStatus.READY:
        raise ValidationError("Only a page that has been read can be fetched again.", code="not_fetched")
    if page.outcome == UNDER_WAY:
        return
    _tell(document, UNDER_WAY)
    task = refetch.configure(lock=f"refetch:{document.pk}")
    task.defer(document_id=document.pk, lane=lane_of(document.datasource_id, document.uploaded_by_id).place())


@app.task(queue="ingest", retry=Backoff())
def refetch(document_id: int) -> None:
    """Fetch the page of a document; twice gives one new version, as its content is the same."""
    current = Document.objects.current().select_related("datasource", "web_page", "uploaded_by", "part_of")
    document = current.filter(pk=document_id, web_page__isnull=False).first()
    if document is None:
        return
    try:
        snapshot = take_snapshot(document.web_page.address)
        _tell(document, SAME if not _store(document, snapshot) else "")
    except FetchError as error:
        _tell(document, f"It could not be fetched again: {error.message}")
    except ValidationError as refusal:
        _tell(document, f"It was not kept: {refusal.messages[0]}")


def _store(old: Document, snapshot: Snapshot) -> bool:
    """Whether there is a new version. Raises ValidationError."""
    file = io.BytesIO(snapshot.content)
    new = Document(
        datasource=old.datasource,
        title=old.title,
        description=old.description,
        filename=snapshot.filename,
        mime=snapshot.mime,
        size=len(snapshot.content),
        sha256=sha256_of(file),
        uploaded_by=old.uploaded_by,
        replaces=old,
        version=old.version + 1,
        metadata=old.metadata,
    )
    if new.sha256 == old.sha256:
        return False

    def finish(document: Document) -> None:
        WebPage.objects.create(
            document=document,
            address=old.web_page.address,
            final_address=snapshot.address,
            fetched=timezone.now(),
        )
        supersede_unread(old, document)

    accepted = store(new, file, usage=Upload(person=None, size=new.size), then=finish)
    if accepted.duplicate and accepted.document.replaces_id != old.pk:
        raise ValidationError(f"Its content is already here as “{accepted.document.title}”.")
    return True


def _tell(document: Document, outcome: str) -> None:
    WebPage.objects.filter(document=document.pk).update(outcome=outcome[:500], checked=timezone.now())
    progress.announce(document, "document_described")
