"""The tab of a datasource's checks."""

from django.utils.translation import gettext_lazy as _

from datasources.web.tabs import Tab


class GapTab(Tab):
    name, label, url, keys, icon = "gaps", _("Checks"), "gaps", "g c", "list-checks"
