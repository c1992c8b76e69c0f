"""The third step: headings and tables, derived from the pages."""

from datasources.models import Document, DocumentStatus
from ingestion import structure_rows
from ingestion.run import DocumentRun
from ingestion.step import Step


class Structure(Step):
    """Seen as the beginning of the step that splits: it takes a moment, and its status is the same."""

    name = "structure"
    label = "Chunk"
    status = DocumentStatus.SPLITTING
    counted = "chunk_count"
    is_measured = False

    def run(self, run: DocumentRun) -> None:
        """Done from the beginning again where it was interrupted."""
        if not run.document.chunk_count:
            run.enter(self.status, total=1)
            structure_rows.rebuild(run.document, run.writing)

    def now(self, document: Document) -> str:
        return "Splitting into chunks"
