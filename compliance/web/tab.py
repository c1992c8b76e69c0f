"""The tab of a datasource's checks."""

from datasources.web.tabs import Tab


class GapTab(Tab):
    name, label, url, keys, icon = "gaps", "Checks", "gaps", "g c", "list-checks"
