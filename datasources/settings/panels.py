"""The panels in the settings of a datasource, its own and those of apps above (settings.SETTINGS_PAGE)."""

from typing import Any

from datasources.in_use.models import (
    ModelInUse,
    agent_in_use,
    embeddings_in_use,
    reads_scans_elsewhere,
    scans_in_use,
)
from datasources.models import Datasource, Role
from datasources.registry import registered
from settings_pages.search import Place, Setting


class SettingsPanel:
    """A part of a section: `anchor` is the id of its element, which older links name, too."""

    section: str
    template: str
    anchor: str

    def context(self, datasource: Datasource) -> dict[str, Any]:
        raise NotImplementedError

    def state(self, datasource: Datasource, role: Role) -> str:
        """How it stands, in a sentence or two; empty where that is not worth one."""
        return ""

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        """What a search finds in it."""
        raise NotImplementedError

    def models_in_use(self, datasource: Datasource) -> list[ModelInUse]:
        """The models that its work needs: none, unless a panel names some."""
        return []


def registered_panels() -> tuple[SettingsPanel, ...]:
    return registered("SETTINGS_PAGE", SettingsPanel)


def models_in_use(datasource: Datasource) -> list[ModelInUse]:
    """The model for answers, those of the panels, the one for embeddings, a server that reads scans."""
    added = [model for panel in registered_panels() for model in panel.models_in_use(datasource)]
    scans = [scans_in_use(datasource)] if reads_scans_elsewhere(datasource) else []
    return [agent_in_use(datasource), *added, embeddings_in_use(datasource), *scans]
