"""Opening password-protected files. The password lives in one request and one reader process, no longer."""

import io
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.limits import Limit
from accounts.quotas import QuotaUsedUp
from datasources.models import Document, DocumentStatus
from datasources.storage.files import local_path, store_file
from formats import ExtractionError
from formats.registry import format_of, identify, sample_of
from ingestion.blobs import delete_unused, discard
from ingestion.lifecycle.retrying import retry
from localization.stored import retold
from text.counted import counted

if TYPE_CHECKING:
    from accounts.models import User

# A password may cost a minute of a processor, as the file wants it.
OF_DOCUMENT = Limit(name="document-password", attempts=5, seconds=60)
OF_PERSON = Limit(name="document-passwords", attempts=15, seconds=60)  # at any documents


def unlock(document: Document, password: str, person: "User") -> None:
    """Replace the stored file by a copy without protection, and read that.

    Raises ValidationError, with nothing changed, when the password does not open the file, and QuotaUsedUp
    when the person has tried too many in a short time.
    """
    if (document.status, document.error_code) != (DocumentStatus.FAILED, "encrypted"):
        raise ValidationError(_("This document is not waiting for a password."), code="not_encrypted")
    _count_attempt(document, person)
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


def _count_attempt(document: Document, person: "User") -> None:
    """By both limits, also where the first is used up. Raises QuotaUsedUp."""
    wait = max(OF_DOCUMENT.take(f"{person.pk} {document.pk}"), OF_PERSON.take(str(person.pk)))
    if wait:
        raise QuotaUsedUp(
            "Too many passwords were tried within a minute. This one was not; "
            f"try it again in {counted(wait, 'second')}.",
            wait,
        )


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
                _("That password does not open “{title}”. Nothing was changed; try another.").format(
                    title=document.title
                ),
                code="wrong_password",
            ) from error
        raise ValidationError(f"{retold(error.message)} {retold(error.hint)}", code=error.code) from error
