"""What reading makes of documents, as the registry of derived data needs it.

Pages, sections, tables and vectors go with the rows that they belong to, by their foreign keys.
"""

from collections.abc import Mapping

from datasources.derived import Change, DerivedData, Subject
from datasources.models import Datasource, WebPage
from events import log
from events.models import Event
from ingestion import progress
from ingestion.models import (
    Annotation,
    Attachment,
    Chunk,
    ChunkEmbedding,
    ChunkTerms,
    DocumentTerms,
    Doubt,
    Page,
    Section,
    TableRow,
)
from ingestion.vector_jobs import defer_drop_orphans, defer_maintain


class ReadDocuments(DerivedData):
    """Chunks, and the events that repeat titles and error messages."""

    def apply(self, change: Change) -> None:
        Chunk.objects.filter(document__in=change.without_chunks).delete()
        DocumentTerms.objects.filter(document__in=change.without_chunks).delete()
        progress.forget(change.datasource_id, change.purged)
        defer_maintain(change.datasource_id)

    def purge_datasource(self, datasource: Datasource) -> None:
        log.close_channel(progress.channel(datasource.pk))
        defer_drop_orphans()

    def sweep(self, subject: Subject) -> None:
        """A reader that was frozen may tell of its progress late."""
        if subject.whole:
            log.close_channel(progress.channel(subject.datasource_id))
        else:
            progress.forget(subject.datasource_id, subject.documents)

    def count(self, subject: Subject) -> Mapping[str, int]:
        documents = subject.documents
        told = Event.objects.filter(channel=progress.channel(subject.datasource_id))
        return {
            "pages": Page.objects.filter(document__in=documents).count(),
            "annotations": Annotation.objects.filter(page__document__in=documents).count(),
            "doubts": Doubt.objects.filter(page__document__in=documents).count(),
            "sections": Section.objects.filter(document__in=documents).count(),
            "table_rows": TableRow.objects.filter(document__in=documents).count(),
            "chunks": Chunk.objects.filter(document__in=documents).count(),
            "vectors": ChunkEmbedding.objects.filter(chunk__document__in=documents).count(),
            "web_pages": WebPage.objects.filter(document__in=documents).count(),
            "attachments": Attachment.objects.filter(mail__in=documents).count(),
            "search_terms": ChunkTerms.objects.filter(document__in=documents).count(),
            "progress_events": (told if subject.whole else told.filter(data__document__in=documents)).count(),
        }
