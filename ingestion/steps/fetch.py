"""The step of documents that are web pages: the page is fetched, and kept as it was then."""

import hashlib
from contextlib import closing

from django.core.files.base import ContentFile
from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext_lazy, gettext_noop

from datasources.capacity import use_capacity
from datasources.models import Document, DocumentStatus, WebPage
from datasources.storage.files import source_file, store_file
from formats import DocumentInfo, ExtractionError
from formats.registry import format_of
from ingestion.blobs import discard
from ingestion.run import DocumentRun
from ingestion.step import Step
from ingestion.steps.extract import reading_limits
from ingestion.web_pages.errors import ALREADY_HERE, FetchError
from ingestion.web_pages.snapshot import Snapshot, take_snapshot
from localization.stored import said


class Fetch(Step):
    name = "fetch"
    label = gettext_lazy("Fetch")
    status = DocumentStatus.FETCHING
    counted = "page_count"
    is_measured = False

    def run(self, run: DocumentRun) -> None:
        """Fetch a page that has not been fetched; nothing for other documents. Raises FetchError."""
        page = WebPage.objects.filter(document=run.document, fetched=None).first()
        if page is None:
            return
        run.enter(self.status, total=1)
        keep(run, page, take_snapshot(page.address))


def keep(run: DocumentRun, page: WebPage, snapshot: Snapshot) -> None:
    """Give the document its file, and the title that the page has."""
    document = run.document
    sha256 = hashlib.sha256(snapshot.content).hexdigest()
    store_file(document, ContentFile(snapshot.content))
    name = str(document.file.name)
    try:
        with run.writing():
            run.record(
                file=name,
                filename=snapshot.filename,
                mime=snapshot.mime,
                size=len(snapshot.content),
                sha256=sha256,
            )
            WebPage.objects.filter(pk=page.pk).update(final_address=snapshot.address, fetched=timezone.now())
            use_capacity(document.datasource, documents=0, size=len(snapshot.content))
    except IntegrityError:
        discard([name])
        known = document.datasource.documents.current().filter(sha256=sha256).first()
        here = said("This page is already here as another document.")
        if known:
            here = said("This page is already here as “{title}”.", title=known.title)
        raise FetchError(
            ALREADY_HERE,
            here,
            gettext_noop("Nothing is missing: delete this entry."),
        ) from None
    except BaseException:
        discard([name])
        raise
    if title := title_of(document):
        with run.writing() as row:
            if row.title == page.address[:300]:  # nobody has named it meanwhile
                run.record(title=title[:300])


def title_of(document: Document) -> str:
    """As the page says it; "" when it says none or cannot be read, which the next step tells."""
    try:
        with (
            source_file(document) as file,
            closing(format_of(document.mime).read(file, limits=reading_limits())) as frames,
        ):
            info = next(frames)
    except ExtractionError:
        return ""
    return info.properties.title if isinstance(info, DocumentInfo) else ""
