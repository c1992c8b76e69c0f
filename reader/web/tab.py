"""The tabs of a datasource: searching its documents, and the passages that they were cut into."""

from datasources.web.tabs import Place, Tab


class SearchTab(Tab):
    name, label, url, keys, icon = "search", "Search", "search", "g s", "search"
    palette_label = "Search the documents"


class ChunksTab(Tab):
    name, label, url, keys, icon = "chunks", "Passages", "chunks", "g p", "file-text"
    place, help = Place.MORE, "How each file was cut for search"
