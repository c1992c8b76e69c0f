"""Papers, searches and imports in the admin, to be looked at."""

from django.contrib import admin

from datasources.admin import ReadOnlyAdmin
from desks.research.models import ArxivQueue, ImportedPaper, Paper, PaperImport, PaperSearch, Reference


@admin.register(ArxivQueue)
class ArxivQueueAdmin(ReadOnlyAdmin):
    open_fields = ("free_at", "holder")
    list_display = ("free_at", "holder")


@admin.register(Paper)
class PaperAdmin(ReadOnlyAdmin):
    open_fields = (
        "document",
        "number",
        "version",
        "newest",
        "has_full_text",
        "withdrawn",
        "published",
        "updated",
    )
    list_display = ("title", "number", "version", "newest", "withdrawn")
    list_filter = ("withdrawn", "has_full_text")
    search_fields = ("title", "number")


@admin.register(Reference)
class ReferenceAdmin(ReadOnlyAdmin):
    open_fields = ("document", "index", "page", "number", "doi")
    list_display = ("__str__", "document", "number", "doi")
    search_fields = ("text", "number", "doi")


@admin.register(PaperSearch)
class PaperSearchAdmin(ReadOnlyAdmin):
    open_fields = ("asked_by", "status", "tries", "attempts", "total", "created")
    list_display = ("id", "asked_by", "status", "total", "created")
    list_filter = ("status",)
    search_fields = ("asked_by__email",)


@admin.register(PaperImport)
class PaperImportAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "asked_by", "status", "attempts", "created", "finished")
    list_display = ("__str__", "datasource", "status", "created")
    list_filter = ("status",)
    search_fields = ("datasource__name",)


@admin.register(ImportedPaper)
class ImportedPaperAdmin(ReadOnlyAdmin):
    open_fields = (
        "paper_import",
        "position",
        "number",
        "version",
        "status",
        "tries",
        "size_done",
        "document",
    )
    list_display = ("__str__", "paper_import", "status")
    list_filter = ("status",)
    search_fields = ("title", "number")
