"""The tab of a datasource's tables."""

from datasources.web.tabs import Tab


class TablesTab(Tab):
    name, label, url, keys, icon = "tables", "Tables", "tables", "g t", "columns-2"
    help, fits_phone = "One row a document, a quote behind each cell", False
