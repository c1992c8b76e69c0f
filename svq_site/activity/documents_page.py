"""On the documents page: the index of the vectors while it is built."""

from typing import Any

from datasources.models import Datasource
from ingestion.indexes import vector_index
from ingestion.web.contributions import Contribution


class IndexOnDocumentsPage(Contribution):
    notice = "activity/_index_notice.html"

    def notice_context(self, datasource: Datasource) -> dict[str, Any]:
        """How many hundredths are done; None while none is built."""
        share = vector_index.progress(datasource.pk)
        return {"index_build": None if share is None else round(100 * share)}
