"""What reading makes of documents, as the registry of derived data needs it.

Pages and vectors go with the rows that they belong to, by their foreign keys.
"""

from datasources.derived import Change, DerivedData
from datasources.models import Datasource
from events import log
from ingestion import progress
from ingestion.models import Chunk


class ReadDocuments(DerivedData):
    """Chunks, and the events that repeat titles and error messages."""

    def apply(self, change: Change) -> None:
        Chunk.objects.filter(document__in=change.without_chunks).delete()
        progress.forget(change.datasource_id, change.purged)

    def purge_datasource(self, datasource: Datasource) -> None:
        log.close_channel(progress.channel(datasource.pk))
