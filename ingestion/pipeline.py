"""The stages of reading a document, each of which goes on from what is already stored."""

from contextlib import closing
from itertools import islice

from django.db import transaction
from django.utils import timezone

from datasources.files import source_file
from datasources.models import Document, DocumentStatus
from formats import DocumentInfo, ExtractionError, PageText
from formats.registry import format_of
from graph.aggregate import mentions, update
from graph.aggregate.queue import defer_embed_graph
from graph.curation import services
from graph.extraction.extract import extract_mentions
from graph.extraction.rules.extractor import Rules
from ingestion import embedding, progress
from ingestion.chunk_quality import kind, quality
from ingestion.chunking import join_pages, split
from ingestion.models import Chunk, Page
from ingestion.run import Run
from providers.roles import embedder

PAGES_AT_ONCE = 25  # pages in one transaction: what a kill can cost


def run(run: Run) -> None:
    """Bring the document to ready. Raises ExtractionError for a file that can't be read, Stopped."""
    for step in STEPS:
        step(run)


def extract_step(run: Run) -> None:
    """Store the text and boxes of the pages that are not there yet."""
    document = run.document
    stored = document.pages.count()
    if document.page_count is not None and stored == document.page_count:
        return
    read = format_of(document.mime).read
    with source_file(document) as file, closing(read(file, first_page=stored + 1)) as frames:
        info = next(frames)
        assert isinstance(info, DocumentInfo)
        with run.writing():
            document.page_count = info.pages
            Document.objects.filter(pk=document.pk).update(page_count=info.pages)
        run.enter(DocumentStatus.EXTRACTING, total=info.pages, done=stored)
        while batch := [page for page in islice(frames, PAGES_AT_ONCE) if isinstance(page, PageText)]:
            store_pages(run, batch)


def store_pages(run: Run, batch: list[PageText]) -> None:
    with run.writing():
        Page.objects.bulk_create(
            Page(
                document=run.document,
                number=p.number,
                text=p.text,
                boxes=p.boxes,
                width=p.width,
                height=p.height,
            )
            for p in batch
        )
        run.advance(batch[-1].number)
    run.tick()


def split_step(run: Run) -> None:
    """Cut the text into chunks, all in one transaction."""
    document = run.document
    if document.chunk_count:
        return
    run.enter(DocumentStatus.SPLITTING, total=1)
    pages = list(document.pages.order_by("number").only("document", "number", "text"))
    text, starts = join_pages([page.text for page in pages])
    settings = document.datasource
    pieces = split(text, starts, size=settings.chunk_size, overlap=settings.chunk_overlap)
    tokens = embedder().count_tokens([piece.text for piece in pieces])
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
        document.chunk_count, document.pages_without_text = len(pieces), without_text
        Document.objects.filter(pk=document.pk).update(
            chunk_count=len(pieces), pages_without_text=without_text
        )
        run.advance(1)


def embed_step(run: Run) -> None:
    """Store the vectors of the chunks that have none yet."""
    document = run.document
    embedding.claim_dimensions(document.datasource, embedder())
    waiting = list(document.chunks.filter(embedding=None).order_by("index").values_list("pk", "text"))
    done = document.chunk_count - len(waiting)
    run.enter(DocumentStatus.EMBEDDING, total=document.chunk_count, done=done)
    for batch in embedding.batches(waiting):
        vectors = embedder().embed([text for _, text in batch])
        with run.writing():
            embedding.copy_vectors(document.datasource_id, [pk for pk, _ in batch], vectors)
            done += len(batch)
            run.advance(done)
        run.tick()


def find_mentions_step(run: Run) -> None:
    """Store what the chunks say about which things; the graph counts it once the document is ready."""
    document = run.document
    if mentions.stored(document.pk):
        return
    run.enter(DocumentStatus.LINKING, total=document.chunk_count)
    chunks = list(document.chunks.order_by("index"))
    found = extract_mentions(run, chunks)
    with run.writing():
        for extractor, some, extractions in found:
            mentions.store(some, extractions, extractor)
        run.advance(len(chunks))


def link_step(run: Run) -> None:
    """Make the document searchable and let the graph grow by it, in one moment.

    The version that it replaces steps back in the same moment, from searches and from the graph.
    """
    document = run.document
    with run.writing():
        document.status, document.ready_at, document.run_token = DocumentStatus.READY, timezone.now(), None
        document.save(update_fields=["status", "ready_at", "run_token"])
        old = Document.objects.select_for_update().filter(replacements=document).first()
        if old:
            services.hand_on(old, document)
        update.change(document.datasource_id, added=[document.pk], removed=[old.pk] if old else [])
        if old:
            supersede(old)
        defer_embed_graph(document.datasource_id)
        transaction.on_commit(lambda: progress.announce(document, "document_ready"))


def link_passages(datasource_id: int, document_ids: list[int]) -> None:
    """Let the graph grow by ready passages, each a document of one chunk; called within a transaction."""
    chunks = list(Chunk.objects.filter(document__in=document_ids).select_related("document"))
    found = [Rules().extract(chunk.document.title, [chunk.text])[0] for chunk in chunks]
    mentions.store(chunks, found, Rules.name)
    update.change(datasource_id, added=document_ids)


def supersede(old: Document) -> None:
    """An old version can't be found any more; file and pages stay, so that old citations still open."""
    old.chunks.all().delete()
    old.status, old.run_token = DocumentStatus.SUPERSEDED, None
    old.save(update_fields=["status", "run_token"])


STEPS = (extract_step, split_step, embed_step, find_mentions_step, link_step)
