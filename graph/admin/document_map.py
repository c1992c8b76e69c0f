"""The map's rows in the admin, to look at: they are derived."""

from django.contrib import admin

from datasources.admin import OF_ITS_DATASOURCE, ReadOnlyAdmin
from graph.models import DocumentNode


@admin.register(DocumentNode)
class DocumentNodeAdmin(ReadOnlyAdmin):
    open_fields = ("document", "x", "y", "datasource")
    list_display = ("document", "group", "x", "y", "datasource")
    list_filter = (OF_ITS_DATASOURCE,)
    list_select_related = ("datasource", "document")
    search_fields = ("document__title", "group")
    exclude = ("vector",)
