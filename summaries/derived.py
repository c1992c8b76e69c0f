"""Summaries as the registry of derived data needs them."""

from collections.abc import Mapping

from datasources.derived import Change, DerivedData, Subject
from summaries.models import ChunkSummary, DocumentSummary
from summaries.tasks import defer_summaries


class Summaries(DerivedData):
    def apply(self, change: Change) -> None:
        """A document's summary is made from those of its chunks, so it is deleted with them."""
        for model in (ChunkSummary, DocumentSummary):
            model.objects.filter(document__in=change.without_chunks).delete()
        if change.published and not change.more_follows:
            defer_summaries(change.datasource_id)

    def count(self, subject: Subject) -> Mapping[str, int]:
        made = (("chunk_summaries", ChunkSummary), ("document_summaries", DocumentSummary))
        return {kind: model.objects.filter(document__in=subject.documents).count() for kind, model in made}
