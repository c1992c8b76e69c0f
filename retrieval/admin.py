"""The vectors of datasources in the admin: how they are searched, and the test of that."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from datasources.admin import OF_ITS_DATASOURCE, ReadOnlyAdmin
from ingestion.models import SpaceStatus, VectorSpace
from providers.protocols import ProviderError
from retrieval import recall


@admin.register(VectorSpace)
class VectorSpaceAdmin(ReadOnlyAdmin):
    list_display = (
        "datasource",
        "model",
        "dimensions",
        "status",
        "indexed",
        "recall",
        "short_answers",
        "exact_ms",
        "index_ms",
        "recall_tested",
    )
    list_filter = ("status", "indexed", "model", OF_ITS_DATASOURCE)
    list_select_related = ("datasource",)
    search_fields = ("model", "datasource__name")
    fields = open_fields = (
        *list_display,
        "searched",
        "recall_queries",
        "created",
        "changed",
        "declined",
        "attempts",
        "error_code",
        "error_message",
        "error_hint",
    )
    readonly_fields = fields
    actions = ("test_recall",)

    @admin.display(description="How it is searched")
    def searched(self, space: VectorSpace) -> str:
        if space.status != SpaceStatus.CURRENT:
            return "Not searched"
        report = recall.report(space)
        return f"{report.detail}. {report.advice}"

    @admin.action(description="Test the index against an exact scan")
    def test_recall(self, request: HttpRequest, queryset: QuerySet[VectorSpace]) -> None:
        for space in queryset.filter(status=SpaceStatus.CURRENT).select_related("datasource"):
            try:
                report = recall.measure(space.datasource)
            except ProviderError as error:
                messages.error(request, f"Datasource {space.datasource_id}: {error.message}")
            else:
                assert report
                level = messages.WARNING if report.advice else messages.SUCCESS
                told = f"Datasource {space.datasource_id}: {report.detail}. {report.advice}"
                messages.add_message(request, level, told)
