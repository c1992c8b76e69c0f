"""The first step: the text of the pages, and where each of its characters stands."""

from contextlib import closing
from itertools import islice

from datasources.files import source_file
from datasources.models import Document, DocumentStatus
from formats import DocumentInfo, PageText
from formats.registry import format_of
from ingestion.models import Page
from ingestion.run import DocumentRun
from ingestion.step import Step, page_reached

PAGES_AT_ONCE = 25  # pages in one transaction: what a kill can cost


class Extract(Step):
    name = "extract"
    label = "Read"
    status = DocumentStatus.EXTRACTING
    counted = "page_count"

    def run(self, run: DocumentRun) -> None:
        """Store the pages that are not there yet."""
        document = run.document
        stored = document.pages.count()
        if document.page_count is not None and stored == document.page_count:
            return
        read = format_of(document.mime).read
        with source_file(document) as file, closing(read(file, first_page=stored + 1)) as frames:
            info = next(frames)
            assert isinstance(info, DocumentInfo)
            with run.writing():
                run.record(page_count=info.pages)
            run.enter(self.status, total=info.pages, done=stored)
            while batch := [page for page in islice(frames, PAGES_AT_ONCE) if isinstance(page, PageText)]:
                store_pages(run, batch)

    def now(self, document: Document) -> str:
        return f"Reading {page_reached(document) or 'pages'}"


def store_pages(run: DocumentRun, batch: list[PageText]) -> None:
    with run.writing():
        Page.objects.bulk_create(
            Page(
                document=run.document,
                number=p.number,
                text=p.text,
                readable=p.readable,
                boxes=p.boxes,
                width=p.width,
                height=p.height,
            )
            for p in batch
        )
        run.advance(batch[-1].number)
    run.tick()
