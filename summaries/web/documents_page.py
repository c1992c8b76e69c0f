"""What summaries add to the list of documents: a line under the title."""

from collections.abc import Mapping, Sequence

from ingestion.web.contributions import Contribution
from summaries.models import DocumentSummary


class SummariesOnDocumentsPage(Contribution):
    def about(self, document_ids: Sequence[int]) -> Mapping[int, str]:
        told = DocumentSummary.objects.written().filter(document__in=document_ids)
        return dict(told.values_list("document_id", "text"))
