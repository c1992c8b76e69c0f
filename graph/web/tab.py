"""The tab of a datasource's graph."""

from datasources.web.tabs import Place, Tab


class GraphTab(Tab):
    name, label, url, keys, icon = "graph", "Graph", "graph", "g g", "waypoints"
    place, help = Place.MORE, "Names and how they are linked"
