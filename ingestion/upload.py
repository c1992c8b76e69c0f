"""Taking in files: what is refused, what is here already, what is stored and queued."""

import hashlib
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import PurePath
from typing import TYPE_CHECKING, BinaryIO, cast

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.db import IntegrityError, transaction

from datasources import derived
from datasources.derived import Change
from datasources.files import store_file
from datasources.models import Datasource, Document, DocumentStatus
from formats.registry import SUFFIXES, describe_formats, identify, sample_of
from ingestion import progress
from ingestion.allowance import Upload
from ingestion.blobs import discard
from ingestion.passages import accept_passages
from ingestion.queueing import queue
from ingestion.tasks import defer_count_pages
from jobs.models import RELEASED

if TYPE_CHECKING:
    from accounts.models import User

PASSAGES_SUFFIX = ".jsonl"
UPLOAD_SUFFIXES = (*SUFFIXES, PASSAGES_SUFFIX)
UPLOADABLE = f"{describe_formats()}, and {PASSAGES_SUFFIX} files of ready passages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What became of one upload. A duplicate names the document that was already here."""

    document: Document
    duplicate: bool = False


def _shortened(filename: str) -> str:
    """At most 300 characters; the ending says what the file is, so it stays."""
    path = PurePath(filename)
    return path.stem[: 300 - len(path.suffix)] + path.suffix if len(filename) > 300 else filename


def _mime(filename: str, file: BinaryIO, allowed: str) -> str:
    form = identify(filename, sample_of(file))
    if form is None:
        raise ValidationError(
            f"SVQ cannot read “{filename}”, only {allowed}. "
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


def _supersede_unread(old: Document, new: Document) -> None:
    """A version that could not be read answers nothing meanwhile, so it makes way at once."""
    old = Document.objects.select_for_update().get(pk=old.pk)
    if old.status not in (DocumentStatus.FAILED, DocumentStatus.CANCELLED):
        return
    derived.apply(Change(datasource_id=old.datasource_id, superseded={old.pk: new.pk}))
    old.write(status=DocumentStatus.SUPERSEDED, **RELEASED)
    progress.announce_all(old.datasource_id, "documents_removed", [old.pk])


def accept_upload(
    datasource: Datasource,
    user: "User | None",
    filename: str,
    file: BinaryIO,
    *,
    replaces: Document | None = None,
    counted: bool = True,
) -> list[Accepted]:
    """Store an upload and queue its reading: row, blob and job together or not at all.

    `counted`: it uses up the person's quota of an hour; what an operator adds by a command does not.

    A file becomes one document; a .jsonl file of {"title", "text"} lines one document a line.
    Raises ValidationError, with nothing stored, for what can't be accepted.
    """
    filename = _shortened(PurePath(filename.replace("\\", "/")).name) or "file"
    size = file.seek(0, 2)
    _check_size(filename, size)
    usage = Upload(person=user if counted else None, size=size)
    if PurePath(filename).suffix.lower() == PASSAGES_SUFFIX:
        if replaces:
            raise ValidationError(
                f"“{filename}” has passages, and passages cannot replace a document. "
                f"Nothing was stored; choose one of the {describe_formats()}.",
                code="unsupported",
            )
        existing, new = accept_passages(datasource, user, filename, file, usage=usage)
        return [Accepted(document=document, duplicate=True) for document in existing] + [
            Accepted(document=document) for document in new
        ]
    mime = _mime(filename, file, describe_formats() if replaces else UPLOADABLE)
    sha256 = _sha256(file)
    if known := _existing(datasource, sha256):
        return [Accepted(document=known, duplicate=True)]
    usage.check(datasource, documents=1)
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
        metadata=replaces.metadata if replaces else {},
    )
    store_file(document, File(file))
    try:
        with transaction.atomic():
            document.save()
            usage.count(datasource, documents=1)
            queue(document)
            defer_count_pages(document)
            if replaces:
                _supersede_unread(replaces, document)
    except IntegrityError:  # the same bytes came in at the same moment, or the datasource was deleted
        discard([str(document.file.name)])
        if not Datasource.objects.filter(pk=document.datasource_id).exists():
            raise ValidationError(
                "This datasource has been deleted. Nothing was stored; choose another one.",
                code="datasource_gone",
            ) from None
        if known := _existing(datasource, sha256):
            return [Accepted(document=known, duplicate=True)]
        raise
    except BaseException:
        discard([str(document.file.name)])
        raise
    return [Accepted(document=document)]
