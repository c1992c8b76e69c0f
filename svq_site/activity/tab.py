"""The tab of what has happened in a datasource."""

from django.utils.translation import gettext_lazy

from datasources.web.tabs import Place, Tab


class ActivityTab(Tab):
    name, label, url, keys, icon = "activity", gettext_lazy("Activity"), "activity", "g l", "activity"
    place, help = Place.MORE, gettext_lazy("Files, questions, checks and decisions, and who made them")
