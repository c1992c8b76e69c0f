"""The step that makes chunks findable: a vector for each chunk, and its words."""

import time

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from procrastinate.contrib.django.models import ProcrastinateJob

from datasources.models import Document, DocumentStatus
from ingestion.indexes import embedding, search_index, vector_spaces, vectors_by_text
from ingestion.queueing import queue
from ingestion.run import DocumentRun
from ingestion.step import Step, page_reached
from ingestion.tasks import INGEST_QUEUE
from jobs.runs import Stopped
from providers.embedders import embedder

SECONDS_A_TURN = 10.0  # then smaller files that wait come first


class Embed(Step):
    name = "embed"
    label = gettext_lazy("Index")
    status = DocumentStatus.EMBEDDING
    counted = "chunk_count"

    def run(self, run: DocumentRun) -> None:
        """Store the vectors and words of the chunks that have none yet."""
        document = run.document
        model = embedder(document.datasource)
        space = vector_spaces.claim(document.datasource, model)
        chunks = document.chunks.all().without_vector(space)
        waiting = list(chunks.order_by("index").values_list("pk", "text"))
        done = document.chunk_count - len(waiting)
        run.enter(self.status, total=document.chunk_count, done=done)
        begun = time.monotonic()
        for batch in embedding.batches(waiting):
            vectors = vectors_by_text.embed(space, [text for _, text in batch], model)
            with run.writing():
                vector_spaces.hold(space)
                embedding.copy_vectors(space, [pk for pk, _ in batch], vectors)
                words = [(pk, document.pk, text) for pk, text in batch]
                search_index.index_chunks(document.datasource_id, words)
                done += len(batch)
                run.advance(done)
            run.tick()
            if time.monotonic() - begun >= SECONDS_A_TURN and done < document.chunk_count:
                _let_smaller_ones_pass(run)
                begun = time.monotonic()

    def now(self, document: Document) -> str:
        reached = page_reached(document)
        return _("Indexing {page}").format(page=reached) if reached else _("Indexing pages")


def _let_smaller_ones_pass(run: DocumentRun) -> None:
    """Queue the document for the rest of its chunks where a smaller file waits. Raises Stopped."""
    jobs = ProcrastinateJob.objects.filter(queue_name=INGEST_QUEUE, status="todo", scheduled_at=None)
    waiting = Document.objects.filter(status=DocumentStatus.QUEUED, size__lt=run.document.size)
    if waiting.filter(job_id__in=jobs.values("pk")).exists():
        with run.writing() as document:
            queue(document, attempts=0)
        raise Stopped
