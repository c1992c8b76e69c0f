"""What the graph adds to the documents page of a datasource."""

from collections.abc import Sequence
from typing import Any

from datasources.models import Datasource
from graph.extraction.extract import by_model
from graph.extraction.status import documents_held
from graph.models.listing import entities_per_document
from ingestion.web.contributions import Contribution


class GraphOnDocumentsPage(Contribution):
    column = "Names"
    notice = "graph/_documents_held.html"

    def numbers(self, document_ids: Sequence[int]) -> dict[int, int]:
        return entities_per_document(document_ids)

    def notice_context(self, datasource: Datasource) -> dict[str, Any]:
        """How many documents wait for a larger budget."""
        return {"documents_held": documents_held(datasource)}

    def rechunking(self, datasource: Datasource) -> str:
        return (
            "the language model reads for the graph again, within its budget" if by_model(datasource) else ""
        )
