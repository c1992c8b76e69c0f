"""Deleting documents with a way back: hidden and not searchable at once, purged by a job a little later.

However many they are, a request writes a handful of statements. The graph follows a single document at once,
and many in one pass, which is a job, unless nobody may see them any more.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from procrastinate import JobContext
from procrastinate.contrib.django import app

from accounts.audit import note_things
from accounts.models import AuditAct
from datasources import derived
from datasources.derived import Change
from datasources.lanes import lane_of
from datasources.models import GONE, UNFINISHED, Datasource, Deletion, Document, DocumentStatus
from ingestion import progress
from ingestion.lifecycle import belonging, purging
from ingestion.queueing import queue_unfinished
from jobs.cancel import cancel_on_commit
from jobs.lanes import Lane
from jobs.retry import Backoff
from jobs.runs import Stopped

if TYPE_CHECKING:
    from accounts.models import User

UNDO_SECONDS = 10
AT_ONCE = 50  # documents that a transaction purges


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What became of an undo: the documents that are back, and why others are not, by their ids."""

    documents: list[Document]
    refused: dict[int, ValidationError]


def delete(document: Document, by: "User | None" = None) -> None:
    """Hide a document everywhere; a job purges it after UNDO_SECONDS. Twice is the same as once."""
    delete_documents(document.datasource, [document.pk], by)


@transaction.atomic
def delete_documents(
    datasource: Datasource,
    document_ids: Collection[int],
    by: "User | None" = None,
    *,
    is_final: bool = False,
) -> list[Deletion]:
    """Hide these documents, and what is attached to them, everywhere; a job purges them after UNDO_SECONDS,
    or as soon as it can where that is_final: then nobody brings them back, the graph follows at once,
    replaced versions may be among them, and their receipts have no names.

    Gives their receipts, those of attachments last.
    """
    chosen = datasource.documents.select_for_update().filter(pk__in=document_ids)
    gone = (DocumentStatus.DELETED,) if is_final else GONE
    documents = list(chosen.exclude(status__in=gone).order_by("pk"))
    if not documents:
        return []
    documents += belonging.going_with(documents)
    batch = uuid4()
    cancel_on_commit(*(document.job_id for document in documents if document.is_unfinished))
    ids = [document.pk for document in documents]
    Document.objects.filter(pk__in=ids).update(
        status_before="" if is_final else F("status"),
        status=DocumentStatus.DELETED,
        run_token=None,
        job_id=None,
    )
    receipts = purging.receipts(documents, batch, by, is_named=not is_final)
    if by:
        note_things(by, AuditAct.DELETED, subject="document", numbers=ids, datasource=datasource.pk)
    defer_purge(batch, 0 if is_final else UNDO_SECONDS, lane_of(datasource.pk, datasource.owner_id))
    if is_final:
        follow(datasource.pk, ids)
    else:
        _let_follow(datasource.pk, ids)
    progress.announce_all(datasource.pk, "documents_removed", ids)
    return receipts


def restore(document: Document) -> None:
    """Bring a deleted document back as it was. Raises ValidationError when that is no longer possible."""
    for refusal in restore_documents(document.datasource, [document.pk]).refused.values():
        raise refusal


@transaction.atomic
def restore_documents(datasource: Datasource, document_ids: Collection[int]) -> Restored:
    """Bring deleted documents back as they were, with what was deleted as attached to them, as far as that is
    still possible.
    """
    document_ids = {*document_ids, *belonging.coming_back_with(document_ids)}
    purging.lock_receipts(Deletion.objects.filter(document__in=document_ids))
    chosen = datasource.documents.removed().select_for_update().filter(pk__in=document_ids)
    deleted = list(chosen.exclude(status_before="").order_by("pk"))
    contents = [document.sha256 for document in deleted]
    present = set(datasource.documents.current().filter(sha256__in=contents).values_list("sha256", flat=True))
    back: list[Document] = []
    refused = {pk: _gone() for pk in {*document_ids} - {document.pk for document in deleted}}
    for document in deleted:
        if document.sha256 in present:
            refused[document.pk] = _added_again(document)
        else:
            present.add(document.sha256)
            back.append(document)
    _bring_back(datasource, back)
    return Restored(documents=back, refused=refused)


def _bring_back(datasource: Datasource, documents: list[Document]) -> None:
    if not documents:
        return
    ids = [document.pk for document in documents]
    Document.objects.filter(pk__in=ids).update(status=F("status_before"), status_before="")
    Deletion.objects.undoable().filter(document__in=ids).delete()
    for document in documents:
        document.status, document.status_before = document.status_before, ""
    queue_unfinished([document for document in documents if document.status in UNFINISHED])
    _let_follow(datasource.pk, ids)
    progress.announce_all(datasource.pk, "documents_restored", ids)


def _gone() -> ValidationError:
    return ValidationError(_("That document has been deleted for good. Add the file again."), code="gone")


def _added_again(document: Document) -> ValidationError:
    return ValidationError(
        _("“{title}” has been added again since. That copy stays; nothing is missing.").format(
            title=document.title
        ),
        code="added_again",
    )


# --- the jobs --------------------------------------------------------------------------------------------
def _let_follow(datasource_id: int, document_ids: list[int]) -> None:
    if len(document_ids) == 1:
        follow(datasource_id, document_ids)
    else:
        job = follow.configure(lock=f"follow:{datasource_id}")
        place = lane_of(datasource_id).place()
        job.defer(datasource_id=datasource_id, document_ids=[*document_ids], lane=place)


def defer_purge(batch: UUID, seconds: int, lane: Lane) -> None:
    """Queue the purge of what was deleted in one go."""
    later = purge_deleted.configure(lock=purging.lock_of(batch), schedule_in={"seconds": seconds})
    later.defer(batch=str(batch), lane=lane.place())


@app.task(queue="upkeep", retry=Backoff())
@transaction.atomic
def follow(datasource_id: int, document_ids: list[int]) -> None:
    """Let the graph follow what was deleted or restored, as these documents are now: one pass for all."""
    rows = Document.objects.select_for_update().filter(pk__in=document_ids).order_by("pk")
    states = dict(rows.values_list("pk", "status"))
    change = Change(
        datasource_id=datasource_id,
        withdrawn=[pk for pk, status in states.items() if status == DocumentStatus.DELETED] or (),
        published=[pk for pk, status in states.items() if status == DocumentStatus.READY] or (),
    )
    if change.withdrawn or change.published:
        derived.apply(change)


@app.task(queue="upkeep", pass_context=True, retry=Backoff())
def purge_deleted(context: JobContext, batch: str) -> None:
    """Purge what was deleted in one go and not restored; from its first line on nothing can be undone."""
    pending = Deletion.objects.undoable().filter(batch=batch)
    with transaction.atomic():
        receipts = purging.lock_receipts(pending)  # an undo may have come first, and taken some away
        ids = [receipt.document for receipt in receipts if receipt.document]
        Document.objects.removed().filter(pk__in=ids).update(status_before="")
    if not receipts:
        return
    first = receipts[0]
    follow(first.datasource, ids)
    total = Deletion.objects.filter(batch=batch).count()
    while left := pending.count():
        if context.should_abort():
            raise Stopped
        with transaction.atomic():
            portion = purging.lock_receipts(pending, at_most=AT_ONCE)
            purging.purge_rows(first.datasource, portion, more_follows=left > len(portion))
        done = total - pending.count()
        progress.tell(first.datasource, "deletion_progressed", {"done": done, "total": total}, ephemeral=True)
