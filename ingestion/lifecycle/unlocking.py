"""Opening password-protected files. The password lives in one request and one reader process, no longer."""

import io

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.db import transaction

from datasources.files import local_path, store_file
from datasources.models import Document, DocumentStatus
from formats import ExtractionError
from formats.registry import format_of, identify, sample_of
from ingestion.blobs import delete_unused, discard
from ingestion.lifecycle.retrying import retry


def unlock(document: Document, password: str) -> None:
    """Replace the stored file by a copy without protection, and read that.

    Raises ValidationError, with nothing changed, when the password does not open the file.
    """
    if (document.status, document.error_code) != (DocumentStatus.FAILED, "encrypted"):
        raise ValidationError("This document is not waiting for a password.", code="not_encrypted")
    content = _without_protection(document, password)
    store_file(document, ContentFile(content))
    name = document.file.name
    try:
        with transaction.atomic():
            locked = Document.objects.select_for_update().get(pk=document.pk)
            # The hash stays that of the protected file: the same upload again is still "already here".
            document.write(file=name, size=len(content), mime=_kind_of(document, content))
            retry(document)
            delete_unused.defer(names=[str(locked.file.name)])
    except BaseException:
        discard([str(name)])
        raise


def _kind_of(document: Document, content: bytes) -> str:
    """What the file is shows only now: a protected workbook looks like any protected Office file."""
    form = identify(document.filename, sample_of(io.BytesIO(content)))
    return form.mime if form and form.is_read else document.mime


def _without_protection(document: Document, password: str) -> bytes:
    try:
        with local_path(document) as path:
            return format_of(document.mime).unlock(path, password)
    except ExtractionError as error:
        if error.code == "encrypted":
            raise ValidationError(
                f"That password does not open “{document.title}”. Nothing was changed; try another.",
                code="wrong_password",
            ) from error
        raise ValidationError(f"{error.message} {error.hint}", code=error.code) from error
