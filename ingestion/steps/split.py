"""The second step: the text split into chunks, all in one transaction."""

from datasources.models import Document, DocumentStatus
from formats import ExtractionError
from ingestion import embedding
from ingestion.chunk_quality import kind, quality
from ingestion.chunking import join_pages, split
from ingestion.models import Chunk, Page
from ingestion.run import DocumentRun
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
        pages = list(document.pages.order_by("number").only("document", "number", "text"))
        text, starts = join_pages([page.text for page in pages])
        settings = document.datasource
        pieces = split(text, starts, size=settings.chunk_size, overlap=settings.chunk_overlap)
        tokens = embedder(document.datasource).count_tokens([piece.text for piece in pieces])
        without_text = sum(1 for page in pages if not page.text.strip())
        if not pieces:
            raise ExtractionError("needs_ocr" if pages else "empty")
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
                    quality=quality(piece.text),
                )
                for piece, count in zip(pieces, tokens, strict=True)
            )
            run.record(chunk_count=len(pieces), pages_without_text=without_text, stage_done=1)

    def now(self, document: Document) -> str:
        return "Cutting into chunks"

    def summary(self, done: int, total: int) -> str:
        return f"{total:,} chunks so far"
