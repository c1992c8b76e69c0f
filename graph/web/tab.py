"""The tab of a datasource's graph."""

from django.utils.translation import gettext_lazy as _

from datasources.web.tabs import Place, Tab


class GraphTab(Tab):
    name, label, url, keys, icon = "graph", _("Graph"), "graph", "g g", "waypoints"
    place, help = Place.MORE, _("Names and how they are linked")
