"""The tabs of a datasource: searching its documents, and their chunks."""

from datasources.tabs import Tab


class SearchTab(Tab):
    name, label, url, keys, icon = "search", "Search", "search", "g f", "search"
    palette_label = "Search the documents"


class ChunksTab(Tab):
    name, label, url, keys, icon = "chunks", "Chunks", "chunks", "g k", "scan-text"
