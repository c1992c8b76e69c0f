"""A datasource as a file, in its settings."""

from typing import Any

from django.utils.translation import gettext as _

from datasources.models import Datasource
from datasources.settings.panels import SettingsPanel
from settings_pages.search import Place, Setting


class BundlePanel(SettingsPanel):
    section, template, anchor = "webhooks", "bundles/_settings.html", "bundle"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {}

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                _("Export it as one file"),
                self.anchor,
                help=_("Export as a bundle: move, archive, download, copy"),
            )
        ]
