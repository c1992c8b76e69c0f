"""Outside tools in the settings of a datasource: how they stand, and the way to their page."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from datasources.models import Datasource, Role
from datasources.settings.panels import SettingsPanel
from exchange.outside_tools.services import states_of
from localization.lists import joined
from settings_pages.search import Place, Setting


class OutsideToolsPanel(SettingsPanel):
    section, template, anchor = "webhooks", "outside_tools/_settings.html", "outside-tools"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {"outside_tools_state": self.state(datasource, Role.OWNER)}

    def state(self, datasource: Datasource, role: Role) -> str:
        states = states_of(datasource)
        if not any(states.values()):
            return _("No outside tool is attached.")
        told = [ngettext("{n} outside tool", "{n} outside tools", states["on"]).format(n=states["on"])]
        told += [_("{n} off: look again").format(n=states["off"])] if states["off"] else []
        return _("{parts}.").format(parts=joined(told))

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                _("Outside tools"),
                self.anchor,
                help=_("Tools of other programs that answers may use. MCP, client"),
            )
        ]
