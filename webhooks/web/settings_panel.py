"""Webhooks in the settings of a datasource: how they stand, and the way to their page."""

from typing import Any

from datasources.models import Datasource, Role
from datasources.settings.panels import SettingsPanel
from settings_pages.search import Place, Setting
from text.counted import counted


class WebhooksPanel(SettingsPanel):
    section, template, anchor = "webhooks", "webhooks/_settings.html", "webhooks"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {"webhooks_state": self.state(datasource, Role.OWNER)}

    def state(self, datasource: Datasource, role: Role) -> str:
        off = [hook.disabled is not None for hook in datasource.webhooks.all()]
        if not off:
            return "No webhook yet."
        failed = f", {sum(off)} of them switched off" if any(off) else ""
        return f"{counted(len(off), 'webhook')}{failed}."

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                "Webhooks", self.anchor, help="Tell other servers what happened. Deliveries, secret, callback"
            )
        ]
