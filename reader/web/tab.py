"""The tabs of a datasource: searching its documents, and the passages that they were cut into."""

from django.utils.translation import gettext_lazy as _

from datasources.web.tabs import Place, Tab


class SearchTab(Tab):
    name, label, url, keys, icon = "search", _("Search"), "search", "g s", "search"
    palette_label = _("Search the documents")


class ChunksTab(Tab):
    name, label, url, keys, icon = "chunks", _("Passages"), "chunks", "g p", "file-text"
    place, help = Place.MORE, _("How each file was cut for search")
