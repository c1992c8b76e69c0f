"""What the graph adds to the settings page of a datasource."""

from typing import Any

from datasources.models import Datasource
from datasources.models_in_use import ModelInUse
from datasources.settings_page import SettingsSection
from graph.models import GraphExtractor, GraphSettings
from providers.roles import ModelRole, endpoint


class GraphOnSettingsPage(SettingsSection):
    template = "datasources/_graph.html"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {"graph_settings": GraphSettings.objects.of(datasource)}

    def models_in_use(self, datasource: Datasource) -> list[ModelInUse]:
        by_model = GraphSettings.objects.of(datasource).extractor == GraphExtractor.MODEL
        available = endpoint(datasource, ModelRole.EXTRACTION)
        server = available if by_model else None
        instead = "Rules, which need no model"
        if available:
            instead += f"; {available.model} reads instead where you choose it under Graph"
        return [
            ModelInUse(
                role=ModelRole.EXTRACTION,
                job="Graph",
                does="Finds things and how they are connected",
                name=server.model if server else "",
                server=server,
                instead=instead,
            )
        ]
