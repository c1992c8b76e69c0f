"""The tab of a datasource's papers, once it has one."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from datasources.models import Datasource
from datasources.web.tabs import Place, Tab
from desks.research.models import Paper
from localization.numbers import numeral


class PapersTab(Tab):
    name, label, url, keys, icon = "papers", _("Papers"), "papers", "g r", "book-open"
    place, help = Place.MORE, _("Papers from arXiv, and what they cite")

    def shown(self, datasource: Datasource) -> bool:
        return Paper.objects.of(datasource).exists() or datasource.paper_imports.exists()

    def count(self, datasource: Datasource) -> tuple[int, str]:
        papers = Paper.objects.of(datasource).count()
        told = ngettext("{n} paper", "{n} papers", papers)
        return papers, told.format(n=numeral(papers))
