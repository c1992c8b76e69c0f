"""What summaries add to the list of documents: a line under the title, and what splitting again brings."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from datasources.masking import masked
from datasources.models import Datasource
from ingestion.web.contributions import Contribution
from providers.roles import ModelRole, endpoint
from summaries.models import DocumentSummary, SummarySettings
from text.personal.personal_data import mask


class SummariesOnDocumentsPage(Contribution):
    def about(self, document_ids: Sequence[int]) -> Mapping[int, str]:
        told = DocumentSummary.objects.written().filter(document__in=document_ids)
        rows = list(told.values_list("document_id", "datasource_id", "text"))
        hidden = masked({datasource for _, datasource, _ in rows}) if rows else set()
        return {document: mask(text) if datasource in hidden else text for document, datasource, text in rows}

    def rechunking(self, datasource: Datasource) -> str:
        enabled = SummarySettings.objects.of(datasource).enabled
        if not (enabled and endpoint(datasource, ModelRole.EXTRACTION)):
            return ""
        return _("the language model summarises the new passages, within the month's budget")
