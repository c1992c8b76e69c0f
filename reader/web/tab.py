"""The tab of a datasource's chunks."""

from datasources.tabs import Tab


class ChunksTab(Tab):
    name, label, url, keys, icon = "chunks", "Chunks", "chunks", "g k", "scan-text"
