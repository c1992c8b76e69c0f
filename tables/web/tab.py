"""The tab of a datasource's tables, once there is a document to ask about."""

from datasources.models import Datasource
from datasources.tabs import Tab


class TablesTab(Tab):
    name, label, url, keys, icon = "tables", "Tables", "tables", "g t", "columns-2"

    def shown(self, datasource: Datasource) -> bool:
        return datasource.documents.ready().exists() or datasource.review_tables.exists()
