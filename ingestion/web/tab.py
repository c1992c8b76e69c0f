"""The tab of a datasource's documents."""

from datasources.models import Datasource
from datasources.tabs import Tab


class DocumentsTab(Tab):
    name, label, url, keys, icon = "documents", "Documents", "documents", "g d", "files"

    def count(self, datasource: Datasource) -> int:
        return datasource.documents.current().count()
