"""A web page as a document: queued at once, fetched by the worker as the first step of its reading."""

import hashlib
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from datasources.models import Datasource, Document, WebPage
from formats.html.format import HTML
from ingestion import progress
from ingestion.adding.allowance import Upload
from ingestion.adding.upload import Accepted
from ingestion.queueing import enqueue
from ingestion.web_pages.addresses import normalised
from ingestion.web_pages.errors import FetchError
from localization.stored import retold

if TYPE_CHECKING:
    from accounts.models import User

OFF = gettext_noop(
    "This server fetches no web pages. Its administrator can allow it (SVQ_FETCH_WEB_PAGES; SVQ reads that "
    "when it starts)."
)
OFF_ADVICE = gettext_noop("Save the page as a file, HTML or PDF, and add that.")


def check_allowed() -> None:
    """Raises ValidationError where the administrator has not allowed it."""
    if not settings.FETCH_WEB_PAGES:
        raise ValidationError(f"{_(OFF)} {_(OFF_ADVICE)}", code="fetching_off")


def add_web_page(datasource: Datasource, user: "User", address: str) -> Accepted:
    """Queue an address. A page that is a document here already is given back instead.

    Raises ValidationError, with nothing stored, for what is no address and where fetching is not allowed.
    """
    check_allowed()
    try:
        address = normalised(address)
    except FetchError as error:
        raise ValidationError(
            " ".join([retold(error.message), _("Nothing was added.")]), code=error.code
        ) from None
    known = datasource.documents.current().filter(web_page__address=address)
    if document := known.first():
        return Accepted(document=document, duplicate=True)
    usage = Upload(person=user, size=0)
    usage.check(datasource, documents=1)
    # Until its content is known, what makes it unique is its address.
    provisional = hashlib.sha256(address.encode()).hexdigest()
    document = Document(
        datasource=datasource,
        title=address[:300],
        filename=f"page{HTML.suffixes[0]}",
        mime=HTML.mime,
        size=0,
        sha256=provisional,
        uploaded_by=user,
    )
    try:
        with transaction.atomic():
            document.save()
            WebPage.objects.create(document=document, address=address)
            enqueue(document)
            usage.count(datasource, documents=1)
            progress.announce(document, "document_queued")
    except IntegrityError:  # somebody added it at the same moment, or the datasource was deleted
        if document := known.first():
            return Accepted(document=document, duplicate=True)
        raise ValidationError(_("This datasource has been deleted."), code="datasource_gone") from None
    return Accepted(document=document)
