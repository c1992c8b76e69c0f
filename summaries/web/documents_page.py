"""What summaries add to the list of documents: a line under the title."""

from collections.abc import Mapping, Sequence

from datasources.masking import masked
from ingestion.web.contributions import Contribution
from summaries.models import DocumentSummary
from text.personal_data import mask


class SummariesOnDocumentsPage(Contribution):
    def about(self, document_ids: Sequence[int]) -> Mapping[int, str]:
        told = DocumentSummary.objects.written().filter(document__in=document_ids)
        rows = list(told.values_list("document_id", "datasource_id", "text"))
        hidden = masked({datasource for _, datasource, _ in rows}) if rows else set()
        return {document: mask(text) if datasource in hidden else text for document, datasource, text in rows}
