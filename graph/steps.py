"""The graph's step of reading: finding mentions. The graph itself grows when a document is published."""

from django.utils.translation import gettext_lazy as _

from datasources.models import Datasource, Document, DocumentStatus
from graph.aggregate import mentions
from graph.aggregate.queue import defer_embed_graph
from graph.extraction.extract import by_model, extract_mentions
from graph.extraction.rules.extractor import Rules
from graph.models import GraphSettings
from graph.services import read_on
from ingestion.models import Chunk
from ingestion.run import DocumentRun
from ingestion.step import Step, page_reached


class FindMentions(Step):
    name = "graph"
    label = _("Graph")
    status = DocumentStatus.LINKING
    counted = "chunk_count"

    def run(self, run: DocumentRun) -> None:
        """Store what the chunks say about which things; it counts once the document is published."""
        document = run.document
        if mentions.stored(document.pk):
            return
        run.enter(self.status, total=document.chunk_count)
        chunks = list(document.chunks.order_by("index"))
        extracted = extract_mentions(run, chunks)
        with run.writing():
            for extractor, some, extractions in extracted:
                mentions.store(some, extractions, extractor)
            run.advance(len(chunks))

    def run_passages(self, document_ids: list[int]) -> None:
        """By the rules; where a model is chosen, it reads them afterwards, see resume."""
        chunks = list(Chunk.objects.filter(document__in=document_ids).select_related("document__datasource"))
        if not chunks:
            return
        rules = Rules(GraphSettings.objects.of(chunks[0].document.datasource).types)
        extractions = [rules.extract(chunk.document.title, [chunk.text])[0] for chunk in chunks]
        mentions.store(chunks, extractions, Rules.name)

    def resume(self, datasource: Datasource) -> None:
        defer_embed_graph(datasource.pk)
        read_on(datasource)

    def takes_long(self, datasource: Datasource) -> bool:
        """A model does, the rules don't."""
        return by_model(datasource)

    def now(self, document: Document) -> str:
        page = page_reached(document) if document.stage_done else ""
        return f"{self.status.label}, {page}" if page else str(self.status.label)
