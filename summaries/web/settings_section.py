"""Summaries on the settings page of a datasource: the section, and what saves it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from datasources.models import Datasource, Role
from datasources.pages import HtmxRequest, datasource_for, page_of_datasource, posted_from
from datasources.settings_page import SettingsSection
from ingestion.models import Chunk
from providers.roles import ModelRole, endpoint
from summaries import writing
from summaries.models import ChunkSummary, SummarySettings
from summaries.tasks import defer_summaries

SECTION = page_of_datasource("datasource_settings", "#summaries")


class SummariesOnSettingsPage(SettingsSection):
    template = "summaries/_settings.html"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        told = ChunkSummary.objects.filter(datasource=datasource)
        server = endpoint(datasource, ModelRole.EXTRACTION)
        return {
            "summary_settings": SummarySettings.objects.of(datasource),
            "summary_model": server.model if server else "",
            "summarised": told.written().count(),
            "not_summarised": told.failed().count(),
            "to_summarise": Chunk.objects.searchable().filter(datasource=datasource).count(),
        }


@login_required
@posted_from(SECTION)
def summary_settings(request: HtmxRequest, pk: int) -> HttpResponse:
    """Only the owner has summaries written."""
    datasource = datasource_for(request, pk, Role.OWNER)
    with transaction.atomic():
        writing.switch(datasource, enabled=request.POST.get("enabled") == "on")
        defer_summaries(pk)
    messages.success(request, "Settings saved.")
    return redirect(f"{reverse('datasource_settings', args=[pk])}#summaries")
