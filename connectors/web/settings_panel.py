"""Connected folders in the settings of a datasource: how they stand, and the way to their page."""

from typing import Any

from connectors.models import Status
from datasources.models import Datasource, Role
from datasources.settings.panels import SettingsPanel
from settings_pages.search import Place, Setting
from text.counted import counted


class ConnectorsPanel(SettingsPanel):
    section, template, anchor = "webhooks", "connectors/_settings.html", "folders"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {"folders_state": self.state(datasource, Role.OWNER)}

    def state(self, datasource: Datasource, role: Role) -> str:
        states = [row.status for row in datasource.connectors.all()]
        if not states:
            return "No folder is connected."
        failed, off = states.count(Status.FAILED), states.count(Status.OFF)
        told = [counted(len(states), "connected folder")]
        told += [f"{failed} failed at the last look"] if failed else []
        told += [f"{off} switched off"] if off else []
        return f"{', '.join(told)}."

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                "Connected folders",
                self.anchor,
                help="Follow files elsewhere. Nextcloud, WebDAV, S3, bucket, mail, site, Git, watched folder",
            )
        ]
