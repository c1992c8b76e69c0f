"""The step that splits: headings and tables derived from the pages, and the text cut into chunks."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from datasources.models import Datasource, Document, DocumentStatus
from formats import ExtractionError
from ingestion import structure_rows
from ingestion.chunks.cutting import Cutting, chunks_of
from ingestion.indexes import embedding, search_index
from ingestion.models import Doubt, OcrOutcome, Page, PageSource
from ingestion.recognition import SURE
from ingestion.run import DocumentRun
from ingestion.step import Step
from localization.stored import said, said_of
from providers.embedders import embedder


class Split(Step):
    name = "chunk"
    label = gettext_lazy("Chunk")
    status = DocumentStatus.SPLITTING
    counted = "chunk_count"
    is_measured = False

    def run(self, run: DocumentRun) -> None:
        document = run.document
        if document.chunk_count:
            return
        run.enter(self.status, total=1)
        structure_rows.rebuild(document, run.writing)
        pages = list(document.pages.order_by("number").defer("boxes", "certainty"))
        while not _cut(run, pages):
            pass

    def now(self, document: Document) -> str:
        return _("Cutting into passages")


def _cut(run: DocumentRun, pages: Sequence[Page]) -> bool:
    """Store the document's chunks; False where documents are to be cut otherwise by now."""
    document = run.document
    document.datasource.refresh_from_db()  # another size may have been set while the pages were read
    cutting = Cutting.of(document.datasource)
    chunks = chunks_of(document, pages, cutting, embedder(document.datasource))
    pictures = [page for page in pages if page.readable and is_picture(page)]
    failed = sum(page.ocr == OcrOutcome.FAILED for page in pictures)
    without_text = sum(page.ocr == "" for page in pictures)
    unreadable = sum(not page.readable for page in pages)
    recognised = sum(page.source == PageSource.OCR for page in pages)
    if not chunks:
        if scripts := scripts_unread(document):
            raise not_read(scripts)
        raise no_text(without_text, unreadable, recognised, failed)
    with transaction.atomic():
        # The datasource before the document, as whoever deletes does. Whoever sets a size finds these chunks.
        now = Datasource.objects.select_for_update(no_key=True).filter(pk=document.datasource_id).first()
        if now and Cutting.of(now) != cutting:
            return False
        with run.writing():
            embedding.copy_chunks(chunks)
            search_index.index_documents([(document, [chunk.text for chunk in chunks])])
            run.record(
                chunk_count=len(chunks),
                pages_without_text=without_text,
                pages_unreadable=unreadable + failed,
                pages_recognised=recognised,
                pages_unsure=sum(page.confidence is not None and page.confidence < SURE for page in pages),
                stage_done=1,
            )
    return True


def scripts_unread(document: Document) -> list[str]:
    """Those of print that OCR found and does not know."""
    of = Doubt.objects.filter(page__document=document).exclude(script="")
    return list(of.order_by("script").values_list("script", flat=True).distinct())


def not_read(scripts: Sequence[str]) -> ExtractionError:
    """For a document of which nothing but such print was found."""
    return ExtractionError(
        "no_words",
        said("Not read: the print on the pages of this file is in {scripts} script.", scripts=scripts),
        said(
            "SVQ's own reader does not know it. Choose Tesseract with {scripts}, or an OCR server, in the "
            "settings of the datasource (Reading), and add the file again.",
            scripts=scripts,
        ),
    )


def is_picture(page: Page) -> bool:
    """Whether it has no text, a line beside the picture at most."""
    return page.picture or not page.text.strip()


def no_text(pictures: int, unreadable: int, recognised: int, failed: int) -> ExtractionError:
    """Why a document whose pages are all one or the other has nothing to search."""
    if failed and not pictures:
        return ExtractionError("ocr_failed")
    if recognised and not pictures:
        return ExtractionError("no_words")
    if not unreadable:
        return ExtractionError("needs_ocr" if pictures else "empty")
    if not pictures:
        return ExtractionError(
            "corrupt", gettext_noop("No page of this file could be read: the reader stopped at each.")
        )
    return ExtractionError(
        "needs_ocr",
        said_of(
            "No page of this file has any text: {n} of its pages is a picture, {unreadable} could "
            "not be read.",
            "No page of this file has any text: {n} of its pages are pictures, {unreadable} could "
            "not be read.",
            pictures,
            unreadable=unreadable,
        ),
    )
