"""Fetching a web page again: what has changed becomes a new version of its document."""

import io

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from procrastinate.contrib.django import app

from datasources.lanes import lane_of
from datasources.models import Document, DocumentStatus, WebPage
from datasources.refusals import sentence_of
from ingestion import progress
from ingestion.adding.allowance import Upload
from ingestion.adding.upload import sha256_of, store, supersede_unread
from ingestion.web_pages.adding import check_allowed
from ingestion.web_pages.errors import FetchError
from ingestion.web_pages.snapshot import Snapshot, take_snapshot
from jobs.retry import Backoff
from localization.stored import LONGEST, said, sentences, words_of

UNDER_WAY = gettext_noop("It is being fetched again.")
SAME = gettext_noop("It has not changed since it was fetched.")


@transaction.atomic
def fetch_again(document: Document) -> None:
    """Queue it. Raises ValidationError where there is nothing to fetch."""
    check_allowed()
    page = WebPage.objects.select_for_update().filter(document=document).first()
    if page is None or page.fetched is None or document.status != DocumentStatus.READY:
        raise ValidationError(_("Only a page that has been read can be fetched again."), code="not_fetched")
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
        _tell(document, said("It could not be fetched again: {why}", why=sentences(error.message)))
    except ValidationError as refusal:
        _tell(document, said("It was not kept: {why}", why=sentences(sentence_of(refusal))))


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
        raise ValidationError(
            said("Its content is already here as “{title}”.", title=accepted.document.title)
        )
    return True


def _tell(document: Document, outcome: str) -> None:
    told = {"outcome": outcome[:LONGEST], "outcome_words": words_of(outcome)}
    WebPage.objects.filter(document=document.pk).update(**told, checked=timezone.now())
    progress.announce(document, "document_described")
