"""One file of a connected source: it becomes a document, or the next version of one, or is refused."""

from collections.abc import Mapping
from dataclasses import replace
from tempfile import TemporaryFile
from typing import BinaryIO

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.quotas import QuotaUsedUp
from datasources.models import Document, DocumentStatus, WebPage
from datasources.models.documents import name_of_file
from datasources.models.tags import folder_tag
from datasources.refusals import sentence_of
from exchange.connectors import readers
from exchange.connectors.going import brought, followed
from exchange.connectors.look import Look
from exchange.connectors.models import Brought, Connector, FollowedFile, parted, refused_with
from exchange.connectors.sources.source import (
    Entry,
    FileGone,
    FileRefused,
    Source,
    TellingSource,
    Unchanged,
    Withheld,
    too_large,
)
from formats.registry import SUFFIXES
from ingestion.adding import describing
from ingestion.adding.naming import is_named
from ingestion.adding.upload import Accepted, accept_upload


def take(look: Look, source: Source, entry: Entry, file: FollowedFile | None) -> None:
    """Add it, or its new version. What people have deleted here stays away."""
    values: dict[str, object]
    if file is not None and _is_deleted_here(file):
        if file.document_id:  # for a moment yet: a later look sees whether it was brought back
            return
        values = {}
    else:
        if file is not None and file.document_id and not file.is_unreadable:
            entry = replace(entry, remembered=file.remembered)
        try:
            with TemporaryFile() as content:
                remembered = _fetch(source, entry, content)
                if isinstance(source, TellingSource):
                    entry = replace(entry, readers=source.readers_now(entry))
                with look.writing():
                    if file is None or not _is_deleted_here(file):
                        readers.check(look.row, entry)
                        accepted = _accepted(look.row, entry, file, content)
                        _keep(look, replace(entry, remembered=remembered), file, accepted)
            return
        except Unchanged:
            values = {**refused_with(""), "is_gone": False, "is_withheld": False}
        except FileRefused as refusal:
            values = {
                **refused_with(refusal.message),
                "is_unreadable": False,
                "is_gone": isinstance(refusal, FileGone),
                "is_withheld": isinstance(refusal, Withheld),
            }
        except QuotaUsedUp:
            raise
        except ValidationError as refusal:
            is_unreadable = getattr(refusal, "code", "") == "unsupported"
            values = {**refused_with(sentence_of(refusal)), "is_unreadable": is_unreadable, "is_gone": False}
    with look.writing():
        if file is not None and file.document_id and _is_another(file, entry):
            _part_with(look.row, file)
            values["document"] = None
        _write(look.row, entry, values)
        if file is None or file.version != entry.version:  # else the next look is as far as this one
            look.row.write(unended=0)


def _is_deleted_here(file: FollowedFile) -> bool:
    """Whether people have deleted its document, or the one that has replaced it: now, as looks take long."""
    file.refresh_from_db(fields=["document", "refusal"])
    if file.document_id is None:
        return not file.refusal
    ids = {file.document_id}
    while ids:
        documents = Document.objects.filter(pk__in=ids)
        if documents.removed().exists():
            return True
        replaced = documents.filter(status=DocumentStatus.SUPERSEDED)
        ids = set(Document.objects.filter(replaces__in=replaced).values_list("pk", flat=True))
    return False


def _fetch(source: Source, entry: Entry, content: BinaryIO) -> str:
    """Raises FileRefused before anything is fetched that would not be taken, and what `fetch` raises."""
    if entry.is_withheld:
        raise Withheld(entry.refusal)
    if entry.refusal:
        raise FileRefused(entry.refusal)
    if not is_readable(entry):
        raise FileRefused(gettext_noop("SVQ cannot read files of this kind."))
    if entry.size is not None and entry.size > settings.MAX_UPLOAD_BYTES:
        raise too_large(settings.MAX_UPLOAD_BYTES)
    return source.fetch(entry, content, settings.MAX_UPLOAD_BYTES)


def _accepted(row: Connector, entry: Entry, file: FollowedFile | None, content: BinaryIO) -> Accepted:
    called, old = entry.called, _newest(row, entry, file)
    return accept_upload(
        row.datasource,
        row.made_by,
        called.name,
        content,
        replaces=old,
        tag="" if old else folder_tag(str(called)),
    )[0]


def _newest(row: Connector, entry: Entry, file: FollowedFile | None) -> Document | None:
    """The version that is here now, if it is not deleted. None where another file, of whichever folder, still
    has it: then the change is of this file alone. None where people have changed by hand what may be shown to
    so many: their version stays, and what the source says can go without it.
    """
    if file is None or file.document_id is None or _is_another(file, entry):
        return None
    others = followed(row).filter(document=file.document_id, is_withheld=False)
    if others.exclude(pk=file.pk).exists():
        return None
    numbers = row.datasource.documents.newest_versions([file.document_id])
    newest = Document.objects.filter(pk__in=numbers).last()
    is_theirs = newest is not None and entry.readers is not None and not brought([newest.pk])
    return None if is_theirs else newest


def _is_another(file: FollowedFile, entry: Entry) -> bool:
    """Another file lies now where it was. Of a row from before numbers were kept, nobody knows."""
    return bool(file.item and entry.item and file.item != entry.item)


def _keep(look: Look, entry: Entry, file: FollowedFile | None, accepted: Accepted) -> None:
    """Within the transaction that has stored the document."""
    document = accepted.document
    before = look.row.files.filter(document=document).exclude(path=entry.path).first()
    if before is not None and before.path not in look.paths and brought([document.pk]):
        _rename(document, entry)
    is_apart = accepted.duplicate or (entry.readers is not None and document.replaces_id is None)
    if file is not None and is_apart and file.document_id != document.pk:
        _part_with(look.row, file)
    if not accepted.duplicate and (document.replaces_id is None or brought([document.replaces_id])):
        Brought.objects.create(document=document)
    elif accepted.duplicate and _was_brought_within(accepted.went_with):
        Brought.objects.get_or_create(document=document)
    if entry.address and not accepted.duplicate:
        WebPage.objects.create(
            document=document, address=entry.address, final_address=entry.address, fetched=timezone.now()
        )
    values = {"document": document, **refused_with(""), "is_unreadable": False, "is_gone": False}
    values |= {"is_withheld": False}
    _write(look.row, entry, values | {"remembered": entry.remembered})
    look.row.write(unended=0)


def _was_brought_within(mail: Document | None) -> bool:
    """What was attached to it came from a folder with it, and nobody here has added it by itself."""
    while mail is not None:
        if brought([mail.pk]):
            return True
        mail = mail.part_of
    return False


def _part_with(row: Connector, file: FollowedFile) -> None:
    """Another file has taken its path. What it was is gone, which is settled at the end of the look, with all
    else that is: under a path that no file has.
    """
    if file.document_id and brought([file.document_id]):
        path = f"{file.path[:900]}{parted(file.document_id)}"
        was = {"version": file.version, "document": file.document, "readers": file.readers}
        FollowedFile.objects.update_or_create(connector=row, path=path, defaults=was)


def _rename(document: Document, entry: Entry) -> None:
    """The same content under another path: renamed or moved there."""
    name = entry.called.name
    if name == document.filename:
        return
    if not is_named(document) and document.title == name_of_file(document.filename):
        document.write(filename=name)
        describing.describe(document, title=name_of_file(name))
    else:
        document.write(filename=name)


def _write(row: Connector, entry: Entry, values: Mapping[str, object]) -> None:
    FollowedFile.objects.update_or_create(
        connector=row,
        path=entry.path,
        defaults={"version": entry.version, "item": entry.item, "readers": readers.keys_of(entry), **values},
    )


def is_readable(entry: Entry) -> bool:
    return entry.called.suffix.lower() in SUFFIXES
