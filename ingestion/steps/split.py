"""The second step: the text split into chunks, all in one transaction."""

from django.conf import settings

from datasources.models import Chunking, Document, DocumentStatus
from formats import ExtractionError
from ingestion import embedding, search_index
from ingestion.chunk_quality import kind, quality
from ingestion.chunking import join_pages, split
from ingestion.models import Chunk, Page
from ingestion.run import DocumentRun
from ingestion.sections import Sections
from ingestion.step import Step
from providers.roles import embedder


class Split(Step):
    name = "chunk"
    label = "Chunk"
    status = DocumentStatus.SPLITTING
    counted = "chunk_count"
    is_measured = False

    def run(self, run: DocumentRun) -> None:
        document = run.document
        if document.chunk_count:
            return
        run.enter(self.status, total=1)
        pages = list(
            document.pages.order_by("number").only("document", "number", "text", "readable", "picture")
        )
        text, starts = join_pages([page.text for page in pages])
        datasource = document.datasource
        pieces = split(
            text,
            starts,
            size=datasource.chunk_size,
            overlap=datasource.chunk_overlap,
            by_paragraph=datasource.chunking == Chunking.PARAGRAPH,
        )
        if len(pieces) > settings.MAX_CHUNKS:
            raise ExtractionError(
                "too_many_chunks",
                f"This file would have {len(pieces):,} chunks; {settings.MAX_CHUNKS:,} are allowed "
                "(SVQ_MAX_CHUNKS). None of it is searched.",
            )
        tokens = embedder(document.datasource).count_tokens([piece.text for piece in pieces])
        sections = Sections(text)
        unreadable = sum(not page.readable for page in pages)
        without_text = sum(page.readable and (page.picture or not page.text.strip()) for page in pages)
        if not pieces:
            raise no_text(without_text, unreadable)
        with run.writing():
            for page, start in zip(pages, starts, strict=True):
                page.start = start
            Page.objects.bulk_update(pages, ["start"], batch_size=500)
            embedding.copy_chunks(
                Chunk(
                    datasource_id=document.datasource_id,
                    document=document,
                    index=piece.index,
                    text=piece.text,
                    start=piece.start,
                    end=piece.end,
                    first_page=piece.first_page,
                    last_page=piece.last_page,
                    token_count=count,
                    kind=kind(piece.text),
                    section=sections.at(piece.own),
                    quality=quality(piece.text),
                )
                for piece, count in zip(pieces, tokens, strict=True)
            )
            search_index.index_documents([(document, [piece.text for piece in pieces])])
            run.record(
                chunk_count=len(pieces),
                pages_without_text=without_text,
                pages_unreadable=unreadable,
                stage_done=1,
            )

    def now(self, document: Document) -> str:
        return "Splitting into chunks"


def no_text(pictures: int, unreadable: int) -> ExtractionError:
    """Why a document whose pages are all one or the other has nothing to search."""
    if not unreadable:
        return ExtractionError("needs_ocr" if pictures else "empty")
    if not pictures:
        return ExtractionError("corrupt", "No page of this file could be read: the reader stopped at each.")
    return ExtractionError(
        "needs_ocr",
        f"No page of this file has any text: {pictures:,} of its pages "
        f"{'is a picture' if pictures == 1 else 'are pictures'}, {unreadable:,} could not be read.",
    )
