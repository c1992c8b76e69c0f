"""Accepting files, and what people do with documents: replace, retry, cancel, delete, leave chunks out."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.db import IntegrityError, transaction

from datasources.models import UNFINISHED, Datasource, Document, DocumentStatus
from datasources.services import delete_blobs, loss_of
from events import log
from formats.registry import SNIFFED_BYTES, SUFFIXES, describe_formats, identify
from graph.aggregate import update
from graph.aggregate.queue import defer_embed_graph
from ingestion import progress, tasks
from ingestion.models import Chunk, Page
from jobs.cancel import cancel_on_commit

if TYPE_CHECKING:
    from accounts.models import User

PASSAGES_SUFFIX = ".jsonl"
PASSAGE = "text/x-passage"
UPLOAD_SUFFIXES = (*SUFFIXES, PASSAGES_SUFFIX)
UPLOADABLE = f"{describe_formats()} and {PASSAGES_SUFFIX} files of ready passages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What became of one upload. A duplicate names the document that was already here."""

    document: Document
    duplicate: bool = False


def _mime(filename: str, file: BinaryIO) -> str:
    file.seek(0)
    form = identify(filename, file.read(SNIFFED_BYTES))
    if form is None:
        raise ValidationError(
            f"SVQ cannot read “{filename}”, only {UPLOADABLE}. "
            "Nothing was stored; save it as PDF and add it again.",
            code="unsupported",
        )
    return form.mime


def _sha256(file: BinaryIO) -> str:
    file.seek(0)
    digest = hashlib.file_digest(cast(BufferedIOBase, file), "sha256").hexdigest()
    file.seek(0)
    return digest


def _existing(datasource: Datasource, sha256: str) -> Document | None:
    return datasource.documents.current().filter(sha256=sha256).first()


def _check_size(filename: str, size: int) -> None:
    if size > settings.MAX_UPLOAD_BYTES:
        limit = settings.MAX_UPLOAD_BYTES // 2**20
        raise ValidationError(
            f"“{filename}” has {size / 2**20:,.0f} MB; the limit is {limit:,} MB. "
            "Nothing was stored; split the file, or have the limit raised (SVQ_MAX_UPLOAD_MB).",
            code="too_large",
        )


def accept_upload(
    datasource: Datasource,
    user: "User | None",
    filename: str,
    file: BinaryIO,
    *,
    replaces: Document | None = None,
) -> list[Accepted]:
    """Store an upload and queue its reading: row, blob and job together or not at all.

    A file becomes one document; a .jsonl file of {"title", "text"} lines one document a line.
    Raises ValidationError, with nothing stored, for what can't be accepted.
    """
    filename = PurePath(filename.replace("\\", "/")).name[:300] or "file"
    size = file.seek(0, 2)
    _check_size(filename, size)
    if PurePath(filename).suffix.lower() == PASSAGES_SUFFIX:
        if replaces:
            raise ValidationError("A file of passages can't replace a document.", code="unsupported")
        return _accept_passages(datasource, user, filename, file)
    mime = _mime(filename, file)
    sha256 = _sha256(file)
    if existing := _existing(datasource, sha256):
        return [Accepted(document=existing, duplicate=True)]
    document = Document(
        datasource=datasource,
        title=PurePath(filename).stem[:300],
        filename=filename,
        mime=mime,
        size=size,
        sha256=sha256,
        uploaded_by=user,
        replaces=replaces,
        version=replaces.version + 1 if replaces else 1,
    )
    document.file.save(filename, File(file), save=False)
    try:
        with transaction.atomic():
            document.save()
            queue(document)
    except IntegrityError:  # the same bytes came in at the same moment
        delete_blobs([document])
        if existing := _existing(datasource, sha256):
            return [Accepted(document=existing, duplicate=True)]
        raise
    except BaseException:
        delete_blobs([document])
        raise
    return [Accepted(document=document)]


def queue(document: Document) -> None:
    """Defer the reading of a document; joins the caller's transaction."""
    document.status = DocumentStatus.QUEUED
    document.stage_done = document.stage_total = 0
    document.run_token = None
    document.error_code = document.error_message = document.error_hint = ""
    document.job_id = tasks.defer_ingest(document.pk)
    document.save()
    progress.announce(document, "document_queued")


def read_on(documents: list[Document]) -> None:
    """Queue unfinished documents whose jobs are gone; they go on from what is stored."""
    for document in documents:
        if document.passage is None:
            document.attempts = 0
            queue(document)
    for datasource_id in {d.datasource_id for d in documents if d.passage is not None}:
        tasks.defer_embed_passages(datasource_id)


# --- ready passages --------------------------------------------------------------------------------------
def read_passages(file: BinaryIO, filename: str) -> Iterator[tuple[int, str, str]]:
    """(line number, title, text) of every line. Raises ValidationError naming the first bad line."""
    file.seek(0)
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
            title, text = str(row["title"]), str(row["text"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValidationError(
                f"Line {number} of “{filename}” is not a JSON object with “title” and “text”. "
                "Nothing was stored; correct the line and add the file again.",
                code="bad_passage",
            ) from error
        yield number, title.replace("\0", "").strip(), text.replace("\0", "").strip()


def _accept_passages(
    datasource: Datasource, user: "User | None", filename: str, file: BinaryIO
) -> list[Accepted]:
    by_hash: dict[str, Document] = {}
    texts: dict[str, str] = {}
    for number, title, text in read_passages(file, filename):
        body = f"{title}\n{text}" if title else text
        sha256 = hashlib.sha256(body.encode()).hexdigest()
        texts[sha256] = body
        by_hash.setdefault(
            sha256,
            Document(
                datasource=datasource,
                title=title[:300] or f"{filename}, line {number}",
                filename=filename,
                mime=PASSAGE,
                size=len(body.encode()),
                sha256=sha256,
                uploaded_by=user,
                passage=number,
                page_count=1,
                chunk_count=1,
                stage_total=1,
                status=DocumentStatus.EMBEDDING,
            ),
        )
    if not by_hash:
        raise ValidationError(f"“{filename}” has no passages. Nothing was stored.", code="empty")
    existing = {d.sha256: d for d in datasource.documents.current().filter(sha256__in=by_hash)}
    new = [document for sha256, document in by_hash.items() if sha256 not in existing]
    accepted = [Accepted(document=document, duplicate=True) for document in existing.values()]
    if not new:
        return accepted
    file.seek(0)
    new[0].file.save(filename, File(file), save=False)
    for document in new:
        document.file.name = new[0].file.name
    try:
        with transaction.atomic():
            _store_passages(datasource, new, texts)
    except BaseException:
        delete_blobs(new[:1])
        raise
    return accepted + [Accepted(document=document) for document in new]


def _store_passages(datasource: Datasource, documents: list[Document], texts: dict[str, str]) -> None:
    Document.objects.bulk_create(documents, batch_size=1000)
    Page.objects.bulk_create(
        [Page(document=d, number=1, text=texts[d.sha256]) for d in documents], batch_size=1000
    )
    Chunk.objects.bulk_create(
        [
            Chunk(
                datasource=datasource,
                document=d,
                index=0,
                text=texts[d.sha256],
                start=0,
                end=len(texts[d.sha256]),
                first_page=1,
                last_page=1,
                quality=1.0,
            )
            for d in documents
        ],
        batch_size=1000,
    )
    tasks.defer_embed_passages(datasource.pk)


# --- what people do with a document ----------------------------------------------------------------------
@transaction.atomic
def retry(document: Document) -> None:
    """Read a failed or cancelled document again, from where it stopped."""
    document = Document.objects.select_for_update().get(pk=document.pk)
    if document.status not in {DocumentStatus.FAILED, DocumentStatus.CANCELLED}:
        raise ValidationError("Only failed or cancelled documents can be retried.", code="not_failed")
    document.attempts = 0
    queue(document)


@transaction.atomic
def cancel(document: Document) -> None:
    """Stop the reading of a document for good; what was read so far is kept for a later retry.

    The run that is under way loses its token here, so nothing that it still does can be stored.
    """
    document = Document.objects.select_for_update().get(pk=document.pk)
    if document.status not in UNFINISHED:
        raise ValidationError(
            "The document is not being read, so there is nothing to cancel.", code="finished"
        )
    document.status = DocumentStatus.CANCELLED
    document.run_token = None
    document.save()
    progress.announce(document, "document_cancelled")
    cancel_on_commit(document.job_id)


def delete_document(document: Document) -> None:
    """Remove a document, its earlier versions and everything derived from them, files included."""
    with transaction.atomic():
        document = Document.objects.select_for_update().get(pk=document.pk)
        doomed = [document, *_earlier_versions(document)]
        ids = [d.pk for d in doomed]
        for one in doomed:
            if one.is_unfinished:
                cancel_on_commit(one.job_id)
        update.change(document.datasource_id, removed=ids)
        defer_embed_graph(document.datasource_id)
        Document.objects.filter(pk__in=ids).delete()
        progress.announce(document, "document_deleted", pk=ids[0])
    delete_blobs(doomed)


def _earlier_versions(document: Document) -> Iterable[Document]:
    """A version that is still in use stays: its replacement never came to be read."""
    while document.replaces and document.replaces.status == DocumentStatus.SUPERSEDED:
        document = document.replaces
        yield document


def delete_datasource(datasource: Datasource) -> str:
    """Remove a datasource with all that it holds; returns a sentence that names the loss."""
    loss = str(loss_of(datasource))
    with transaction.atomic():
        documents = list(datasource.documents.all())
        for document in documents:
            if document.is_unfinished:
                cancel_on_commit(document.job_id)
        log.close_channel(progress.channel(datasource.pk))
        update.drop(datasource.pk)
        datasource.delete()
    delete_blobs(documents)
    return loss


def set_left_out(chunk: Chunk, left_out: bool) -> None:
    """Keep a chunk out of every search, or take it back in."""
    chunk.left_out = left_out
    chunk.save(update_fields=["left_out"])
