"""Summaries in the admin, to be looked at."""

from django.contrib import admin

from datasources.admin import OF_ITS_DATASOURCE, ReadOnlyAdmin
from summaries.models import ChunkSummary, DocumentSummary, SummarySettings


@admin.register(SummarySettings)
class SummarySettingsAdmin(ReadOnlyAdmin):
    list_display = open_fields = ("datasource", "enabled", "problem")
    list_filter = ("enabled",)
    list_select_related = ("datasource",)


@admin.register(ChunkSummary)
class ChunkSummaryAdmin(ReadOnlyAdmin):
    list_display = open_fields = ("document", "error", "model", "created", "datasource")
    list_filter = ("model", OF_ITS_DATASOURCE)
    list_select_related = ("document", "datasource")
    search_fields = ("document__title",)


@admin.register(DocumentSummary)
class DocumentSummaryAdmin(ReadOnlyAdmin):
    list_display = open_fields = ("document", "error", "model", "created", "datasource")
    list_filter = ("model", OF_ITS_DATASOURCE)
    list_select_related = ("document", "datasource")
    search_fields = ("document__title",)
