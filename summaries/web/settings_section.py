"""Summaries in the settings of a datasource: the panel, and what saves it."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from datasources.models import Datasource, Role
from datasources.settings.panels import SettingsPanel
from datasources.settings.sections import page_of_section
from datasources.settings.views import section_page
from datasources.web.pages import HtmxRequest, datasource_for, posted_from
from ingestion.models import Chunk
from localization.numbers import numeral
from providers.roles import ModelRole, endpoint
from settings_pages.saving import save_fields
from settings_pages.search import Place, Setting
from summaries import writing
from summaries.models import ChunkSummary, SummarySettings
from summaries.tasks import defer_summaries

SECTION = page_of_section("reading", "#summaries")


class SummariesForm(forms.Form):
    """Switching them on costs, so it says what before."""

    enabled = forms.BooleanField(
        label=_("Summarise passages and documents in a sentence"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "switch", "role": "switch"}),
    )

    @classmethod
    def of(cls, datasource: Datasource, data: QueryDict | None = None) -> "SummariesForm":
        enabled = SummarySettings.objects.of(datasource).enabled
        form = cls(data, initial={"enabled": enabled}, auto_id="summaries_%s")
        form.fields["enabled"].help_text = _cost(datasource)
        return form


def _cost(datasource: Datasource) -> str:
    server = endpoint(datasource, ModelRole.EXTRACTION)
    if server is None:
        return gettext("It needs a language model, and none is connected.")
    left = writing.count_left(datasource)
    told = ngettext(
        "{model} is sent each passage once, in the background and within the month's budget: now "
        "{n} call at most, then one for each new passage and document.",
        "{model} is sent each passage once, in the background and within the month's budget: now "
        "{n} calls at most, then one for each new passage and document.",
        left,
    )
    return told.format(model=server.model, n=numeral(left))


class SummariesPanel(SettingsPanel):
    section, template, anchor = "reading", "summaries/_settings.html", "summaries"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {
            "summaries_form": SummariesForm.of(datasource),
            "summary_settings": SummarySettings.objects.of(datasource),
            "summarised": _summarised(datasource),
            "not_summarised": ChunkSummary.objects.filter(datasource=datasource).failed().count(),
            "to_summarise": _to_summarise(datasource),
        }

    def state(self, datasource: Datasource, role: Role) -> str:
        if not SummarySettings.objects.of(datasource).enabled:
            return ""
        done, passages = _summarised(datasource), _to_summarise(datasource)
        if endpoint(datasource, ModelRole.EXTRACTION) is None:
            told = ngettext(
                "{done} of {n} passage summarised; no model is connected, so no more are.",
                "{done} of {n} passages summarised; no model is connected, so no more are.",
                passages,
            )
        else:
            told = ngettext(
                "{done} of {n} passage summarised.", "{done} of {n} passages summarised.", passages
            )
        return told.format(done=numeral(done), n=numeral(passages))

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                gettext("Summaries"),
                self.anchor,
                help=gettext("Passages and documents in a sentence, by the model"),
            )
        ]


def _summarised(datasource: Datasource) -> int:
    return ChunkSummary.objects.filter(datasource=datasource).written().count()


def _to_summarise(datasource: Datasource) -> int:
    return Chunk.objects.searchable().filter(datasource=datasource).count()


@login_required
@posted_from(SECTION)
def summary_settings(request: HtmxRequest, pk: int) -> HttpResponse:
    """Only the owner has summaries written."""
    datasource = datasource_for(request, pk, Role.OWNER)

    @transaction.atomic
    def switch(enabled: bool) -> None:
        writing.switch(datasource, enabled=enabled)
        defer_summaries(pk)

    return save_fields(
        request,
        SummariesForm.of(datasource, request.POST),
        switch,
        page=lambda refused: section_page(request, datasource, "reading", summaries_form=refused),
        back=SECTION(pk),
    )
