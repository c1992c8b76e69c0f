"""The tab of a datasource's papers, once it has one."""

from datasources.models import Datasource
from datasources.tabs import Tab
from research.models import Paper
from text.counted import counted


class PapersTab(Tab):
    name, label, url, keys, icon = "papers", "Papers", "papers", "g p", "book-open"

    def shown(self, datasource: Datasource) -> bool:
        return Paper.objects.of(datasource).exists() or datasource.paper_imports.exists()

    def count(self, datasource: Datasource) -> int:
        return Paper.objects.of(datasource).count()

    def told(self, datasource: Datasource) -> str:
        return counted(self.count(datasource), "paper")
