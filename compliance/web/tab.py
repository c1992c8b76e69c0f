"""The tab of a datasource's gap analysis, where a framework is attached."""

from datasources.models import Datasource
from datasources.tabs import Tab


class GapTab(Tab):
    name, label, url, keys, icon = "gaps", "Gap analysis", "gaps", "g a", "list-checks"

    def shown(self, datasource: Datasource) -> bool:
        return datasource.framework_attachments.exists()
