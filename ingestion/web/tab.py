"""The tab of a datasource's documents."""

from datasources.counts import document_counts
from datasources.models import Datasource
from datasources.tabs import Tab


class DocumentsTab(Tab):
    name, label, url, keys, icon = "documents", "Documents", "documents", "g d", "files"

    def count(self, datasource: Datasource) -> int:
        return document_counts(datasource.documents.all()).documents

    def told(self, datasource: Datasource) -> str:
        return str(document_counts(datasource.documents.all()))
