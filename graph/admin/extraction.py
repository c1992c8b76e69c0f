"""What people choose for the graph, the model's answers and what they cost, in the admin."""

from django.contrib import admin

from datasources.admin import OF_ITS_DATASOURCE, FieldExactAdmin, ReadOnlyAdmin
from graph.models import CachedExtraction, ChunkExtraction, ExtractionSpend, GraphSettings


@admin.register(CachedExtraction)
class CachedExtractionAdmin(ReadOnlyAdmin):
    open_fields = ("model", "prompt_tokens", "completion_tokens", "created")
    list_display = ("content", "model", "prompt_tokens", "completion_tokens", "created")
    list_filter = ("model",)
    search_fields = ("content", "model")


@admin.register(ChunkExtraction)
class ChunkExtractionAdmin(ReadOnlyAdmin):
    open_fields = ("chunk", "state", "datasource")
    list_display = ("chunk", "state", "error", "datasource")
    list_filter = ("state", OF_ITS_DATASOURCE)
    list_select_related = ("chunk__document", "datasource")
    search_fields = ("chunk__document__title", "error")


@admin.register(ExtractionSpend)
class ExtractionSpendAdmin(ReadOnlyAdmin):
    list_display = open_fields = (
        "datasource",
        "model",
        "calls",
        "cached_calls",
        "prompt_tokens",
        "completion_tokens",
        "money",
    )
    list_filter = (OF_ITS_DATASOURCE,)
    list_select_related = ("datasource",)
    search_fields = ("datasource__name", "model")


@admin.register(GraphSettings)
class GraphSettingsAdmin(FieldExactAdmin):
    open_fields = ("datasource", "extractor", "token_budget", "money_budget")
    list_display = ("datasource", "extractor", "ontology", "token_budget", "money_budget")
    list_filter = ("extractor", "ontology")
    list_select_related = ("datasource",)
    search_fields = ("datasource__name",)
    autocomplete_fields = ("datasource",)
