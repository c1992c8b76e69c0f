"""What apps above add to a datasource's settings page: a section, models in use (settings.SETTINGS_PAGE)."""

from typing import Any

from datasources.models import Datasource
from datasources.models_in_use import (
    ModelInUse,
    agent_in_use,
    embeddings_in_use,
    reads_scans_elsewhere,
    scans_in_use,
)
from datasources.registry import registered


class SettingsSection:
    """One app's part of the page."""

    template: str

    def context(self, datasource: Datasource) -> dict[str, Any]:
        raise NotImplementedError

    def models_in_use(self, datasource: Datasource) -> list[ModelInUse]:
        """The models that its work needs: none, unless a section names some."""
        return []


def sections() -> tuple[SettingsSection, ...]:
    return registered("SETTINGS_PAGE", SettingsSection)


def models_in_use(datasource: Datasource) -> list[ModelInUse]:
    """The model for answers, those of the sections, the one for embeddings, a server that reads scans."""
    added = [model for section in sections() for model in section.models_in_use(datasource)]
    scans = [scans_in_use(datasource)] if reads_scans_elsewhere(datasource) else []
    return [agent_in_use(datasource), *added, embeddings_in_use(datasource), *scans]
