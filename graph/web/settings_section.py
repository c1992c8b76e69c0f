"""The graph in the settings of a datasource: who reads for it, what that costs, and how far it is."""

from typing import Any

from django.utils.translation import gettext as _

from datasources.in_use.models import ModelInUse, host_of, is_local
from datasources.models import Datasource, Role
from datasources.settings.panels import SettingsPanel
from graph.models import GraphExtractor, GraphSettings
from graph.values.ontology import PRESETS, Ontology
from graph.web.extraction_forms import ExtractorForm, TypesForm
from graph.web.extraction_state import state_of
from providers.roles import ModelRole, endpoint
from settings_pages.search import Place, Setting


class GraphPanel(SettingsPanel):
    section, template, anchor = "graph", "graph/_extraction.html", "graph"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        chosen, host = (
            GraphSettings.objects.of(datasource),
            host_of(endpoint(datasource, ModelRole.EXTRACTION)),
        )
        return {
            **state_of(datasource),
            "extractor_form": ExtractorForm(initial={"extractor": chosen.extractor}),
            "types_form": TypesForm.of(chosen),
            "presets": [(Ontology(name).label, types) for name, types in PRESETS.items()],
            "host": host,
            "is_local": is_local(host),
        }

    def state(self, datasource: Datasource, role: Role) -> str:
        by_model = GraphSettings.objects.of(datasource).extractor == GraphExtractor.MODEL
        if by_model and endpoint(datasource, ModelRole.EXTRACTION) is None:
            return _("No model is connected, so only rules read.")
        return (
            _("The language model reads.")
            if by_model
            else _("Rules on this server read, which costs nothing.")
        )

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                _("Who reads for the graph"),
                "set-extractor",
                help=_("Rules or the language model. Extraction"),
            ),
            place.setting(
                _("Budget of the graph"),
                "graph-budget",
                help=_("The most it may cost in all. Tokens, money"),
                more_words="cost price limit spending",
            ),
            *place.fields(TypesForm(), TypesForm.base_fields),
        ]

    def models_in_use(self, datasource: Datasource) -> list[ModelInUse]:
        by_model = GraphSettings.objects.of(datasource).extractor == GraphExtractor.MODEL
        available = endpoint(datasource, ModelRole.EXTRACTION)
        server = available if by_model else None
        instead = _("Rules, which need no model")
        if available:
            told = _("Rules, which need no model; {model} reads instead where you choose it under Graph")
            instead = told.format(model=available.model)
        return [
            ModelInUse(
                role=ModelRole.EXTRACTION,
                job=_("Graph"),
                does=_("Finds things and how they are connected"),
                name=server.model if server else "",
                server=server,
                instead=instead,
            )
        ]
