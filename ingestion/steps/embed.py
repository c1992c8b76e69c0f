"""The fourth step: a vector for each chunk, and its words."""

from datasources.models import Document, DocumentStatus
from ingestion import embedding, search_index, vector_spaces
from ingestion.run import DocumentRun
from ingestion.step import Step, page_reached
from providers.roles import embedder


class Embed(Step):
    name = "embed"
    label = "Index"
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
        for batch in embedding.batches(waiting):
            vectors = model.embed([text for _, text in batch])
            with run.writing():
                vector_spaces.hold(space)
                embedding.copy_vectors(space, [pk for pk, _ in batch], vectors)
                words = [(pk, document.pk, text) for pk, text in batch]
                search_index.index_chunks(document.datasource_id, words)
                done += len(batch)
                run.advance(done)
            run.tick()

    def now(self, document: Document) -> str:
        return f"Indexing {page_reached(document) or 'pages'}"
