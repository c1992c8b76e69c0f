"""The tab of what has happened in a datasource."""

from datasources.web.tabs import Place, Tab


class ActivityTab(Tab):
    name, label, url, keys, icon = "activity", "Activity", "activity", "g l", "activity"
    place, help = Place.MORE, "Files, questions, checks and decisions, and whose they are"
