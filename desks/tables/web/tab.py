"""The tab of a datasource's tables."""

from django.utils.translation import gettext_lazy as _

from datasources.web.tabs import Tab


class TablesTab(Tab):
    name, label, url, keys, icon = "tables", _("Tables"), "tables", "g t", "columns-2"
    help, fits_phone = _("One row per document, a quote behind each cell"), False
