"""Connected sources in the settings of a datasource: how they stand, and the way to their page."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from datasources.models import Datasource, Role
from datasources.settings.panels import SettingsPanel
from exchange.connectors.models import Status
from localization.lists import joined
from settings_pages.search import Place, Setting


class ConnectorsPanel(SettingsPanel):
    section, template, anchor = "webhooks", "connectors/_settings.html", "folders"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {"folders_state": self.state(datasource, Role.OWNER)}

    def state(self, datasource: Datasource, role: Role) -> str:
        states = [row.status for row in datasource.connectors.all()]
        if not states:
            return _("No source is connected.")
        many, failed, off = len(states), states.count(Status.FAILED), states.count(Status.OFF)
        parts = [ngettext("{n} connected source", "{n} connected sources", many).format(n=many)]
        if failed:
            said = ngettext("{n} failed at the last look", "{n} failed at the last look", failed)
            parts.append(said.format(n=failed))
        if off:
            parts.append(ngettext("{n} switched off", "{n} switched off", off).format(n=off))
        return _("{parts}.").format(parts=joined(parts))

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                _("Connected sources"),
                self.anchor,
                help=_(
                    "Follow files elsewhere. SharePoint, OneDrive, Google Drive, Nextcloud, WebDAV, S3, "
                    "bucket, mail, site, Git, watched folder"
                ),
            )
        ]
