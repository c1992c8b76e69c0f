"""The tab of a datasource's documents."""

from django.utils.translation import gettext_lazy as _

from datasources.counts import document_counts
from datasources.models import Datasource, Role
from datasources.web.tabs import Tab


class DocumentsTab(Tab):
    name, label, url, keys, icon = "documents", _("Documents"), "documents", "g d", "files"
    needed = Role.ASKER

    def count(self, datasource: Datasource) -> tuple[int, str]:
        counts = document_counts(datasource.documents.all())
        return counts.documents, str(counts)
