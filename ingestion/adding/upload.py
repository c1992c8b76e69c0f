"""Taking in files: what is refused, what is here already, what is stored and queued."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from io import BufferedIOBase
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from datasources import derived
from datasources.derived import Change
from datasources.in_use.tags import spelt_as_in_use
from datasources.models import Datasource, Document, DocumentStatus
from datasources.models.documents import name_of_file
from datasources.models.outside_ids import EXTERNAL_ID, also
from datasources.models.tags import tags_in, with_tags
from datasources.storage.files import store_file
from formats.registry import SUFFIXES, identify, sample_of
from ingestion import progress
from ingestion.adding import describing
from ingestion.adding.allowance import Upload
from ingestion.adding.kinds_of_files import PASSAGES_SUFFIX, readable, uploadable
from ingestion.adding.naming import is_named
from ingestion.adding.passages import accept_passages
from ingestion.blobs import discard
from ingestion.queueing import enqueue
from ingestion.tasks import defer_count_pages
from jobs.models import RELEASED
from localization.numbers import numeral
from text.normal_forms.clean_form import clean_form, is_seen

if TYPE_CHECKING:
    from accounts.models import User

NOTHING: Mapping[str, Any] = MappingProxyType({})
UNTITLED = "Untitled"
UPLOAD_SUFFIXES = (*SUFFIXES, PASSAGES_SUFFIX)


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What became of one upload. A duplicate names the document that was already here, and the mail that it
    went with until now.
    """

    document: Document
    duplicate: bool = False
    went_with: Document | None = None


def bare_name(filename: str) -> str:
    """Without folders and what nobody sees, at most 300 characters; the ending says what the file is, so it
    stays.
    """
    path = PurePath(clean_form(filename).replace("\\", "/"))
    given = PurePath(filename)
    if not is_seen(given.stem):
        path = PurePath(f"{UNTITLED}{given.suffix}")
    return path.stem[: 300 - len(path.suffix)] + path.suffix[:300] if len(path.name) > 300 else path.name


def _mime(filename: str, file: BinaryIO, allowed: str) -> str:
    form = identify(filename, sample_of(file))
    if form is None:
        raise ValidationError(
            _(
                "SVQ cannot read “{name}”, only {allowed}. "
                "Nothing was stored; save it as PDF and add it again."
            ).format(name=filename, allowed=allowed),
            code="unsupported",
        )
    return form.mime


def sha256_of(file: BinaryIO) -> str:
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
            _(
                "“{name}” has {size} MB; the limit is {limit} MB. "
                "Nothing was stored; split the file, or have the limit raised (SVQ_MAX_UPLOAD_MB)."
            ).format(name=filename, size=numeral(size / 2**20), limit=numeral(limit)),
            code="too_large",
        )


def supersede_unread(old: Document, new: Document) -> None:
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
    tag: str = "",
    metadata: Mapping[str, Any] = NOTHING,
) -> list[Accepted]:
    """Store an upload and queue its reading: row, blob and job together or not at all.

    `counted`: it uses up the person's quota of an hour; what an operator adds by a command does not. `tag`:
    the folder that it lay in; `metadata`: what programs keep with it. A file that is here already gets both.

    A file becomes one document; a .jsonl file of {"title", "text"} lines one document a line.
    Raises ValidationError, with nothing stored, for what can't be accepted.
    """
    filename = bare_name(filename)
    size = file.seek(0, 2)
    _check_size(filename, size)
    usage = Upload(person=user if counted else None, size=size)
    if PurePath(filename).suffix.lower() == PASSAGES_SUFFIX:
        if replaces:
            raise _no_replacement(filename)
        existing, new = accept_passages(datasource, user, filename, file, usage=usage, metadata=metadata)
        _take_over(existing, tag, metadata)
        duplicates = [Accepted(document=document, duplicate=True) for document in existing]
        return duplicates + [Accepted(document=document) for document in new]
    if replaces:
        known = _as_next_version(replaces, filename, metadata)
    else:
        known = _as_first_version(datasource, filename, tag, metadata)
    document = Document(
        **known,
        datasource=datasource,
        filename=filename,
        mime=_mime(filename, file, readable() if replaces else uploadable()),
        size=size,
        sha256=sha256_of(file),
        uploaded_by=user,
    )

    def supersede(document: Document) -> None:
        if replaces:
            supersede_unread(replaces, document)

    accepted = store(document, file, usage=usage, then=supersede)
    if accepted.duplicate:
        accepted = replace(accepted, went_with=accepted.document.part_of)
        _take_over([accepted.document], tag, metadata)
    return [accepted]


def _no_replacement(filename: str) -> ValidationError:
    return ValidationError(
        _(
            "“{name}” has passages, and passages cannot replace a document. "
            "Nothing was stored; choose one of the {allowed}."
        ).format(name=filename, allowed=readable()),
        code="unsupported",
    )


def _as_first_version(
    datasource: Datasource, filename: str, tag: str, metadata: Mapping[str, Any]
) -> dict[str, Any]:
    tags = spelt_as_in_use(datasource.pk, [*tags_in(metadata), tag])
    return {"title": name_of_file(filename), "metadata": with_tags(metadata, tags)}


def _as_next_version(old: Document, filename: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What people have said of the document stays; its title too, where they have given it one of its own.
    Of the metadata, what is given anew, but for ids: those that it had are still known.
    """
    kept = {
        name: value for name, value in old.metadata.items() if name == EXTERNAL_ID or name not in metadata
    }
    return {
        "title": old.title if is_named(old) else name_of_file(filename),
        "description": old.description,
        "metadata": also(kept, metadata),
        "replaces": old,
        "part_of": old.part_of,
        "version": old.version + 1,
    }


def _take_over(known: Sequence[Document], tag: str, metadata: Mapping[str, Any]) -> None:
    """Somebody adds a file by itself that was attached to a mail: it no longer goes with the mail."""
    for document in known:
        if document.part_of_id:
            document.write(part_of=None)
    if tag or metadata:
        describing.take_over(known, tag, metadata)


def store(
    document: Document,
    file: BinaryIO,
    *,
    usage: Upload,
    within: Callable[[], AbstractContextManager[object]] = transaction.atomic,
    then: Callable[[Document], object],
) -> Accepted:
    """Store the file of a new document and queue its reading, unless the same content is here already.

    `within` makes the transaction; at its end `then` gets the new document. Raises ValidationError when there
    is no capacity for it.
    """
    datasource = document.datasource
    if known := _existing(datasource, document.sha256):
        return Accepted(document=known, duplicate=True)
    usage.check(datasource, documents=1)
    store_file(document, File(file))
    try:
        with within():
            document.save()
            enqueue(document)
            defer_count_pages(document)
            usage.count(datasource, documents=1)  # from here on, uploads at the same moment wait
            progress.announce(document, "document_queued")
            then(document)
    except IntegrityError:  # the same bytes came in at the same moment, or the datasource was deleted
        discard([str(document.file.name)])
        if not Datasource.objects.filter(pk=document.datasource_id).exists():
            raise ValidationError(
                _("This datasource has been deleted. Nothing was stored; choose another one."),
                code="datasource_gone",
            ) from None
        if known := _existing(datasource, document.sha256):
            return Accepted(document=known, duplicate=True)
        raise
    except BaseException:
        discard([str(document.file.name)])
        raise
    return Accepted(document=document)
