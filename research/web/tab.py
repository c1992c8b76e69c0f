"""The tab of a datasource's papers, once it has one."""

from datasources.models import Datasource
from datasources.web.tabs import Place, Tab
from research.models import Paper
from text.counted import counted


class PapersTab(Tab):
    name, label, url, keys, icon = "papers", "Papers", "papers", "g r", "book-open"
    place, help = Place.MORE, "Papers from arXiv, and what they cite"

    def shown(self, datasource: Datasource) -> bool:
        return Paper.objects.of(datasource).exists() or datasource.paper_imports.exists()

    def count(self, datasource: Datasource) -> tuple[int, str]:
        papers = Paper.objects.of(datasource).count()
        return papers, counted(papers, "paper")
