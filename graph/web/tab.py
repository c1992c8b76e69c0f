"""The tab of a datasource's graph, once there is an entity."""

from datasources.models import Datasource
from datasources.tabs import Tab


class GraphTab(Tab):
    name, label, url, keys, icon = "graph", "Graph", "graph", "g g", "waypoints"

    def shown(self, datasource: Datasource) -> bool:
        return datasource.entities.exists()
