"""Webhooks in the settings of a datasource: how they stand, and the way to their page."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from datasources.models import Datasource, Role
from datasources.settings.panels import SettingsPanel
from settings_pages.search import Place, Setting


class WebhooksPanel(SettingsPanel):
    section, template, anchor = "webhooks", "webhooks/_settings.html", "webhooks"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        return {"webhooks_state": self.state(datasource, Role.OWNER)}

    def state(self, datasource: Datasource, role: Role) -> str:
        hooks = list(datasource.webhooks.all())
        if not hooks:
            return _("No webhook yet.")
        off = sum(hook.disabled is not None for hook in hooks)
        failing = sum(hook.disabled is None and hook.failing_since is not None for hook in hooks)
        told = [ngettext("{n} webhook", "{n} webhooks", len(hooks)).format(n=len(hooks))]
        told += [_("{n} failing").format(n=failing)] if failing else []
        told += [_("{n} switched off").format(n=off)] if off else []
        return f"{', '.join(told)}."

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        return [
            place.setting(
                _("Webhooks"),
                self.anchor,
                help=_("Tell other servers what happened. Deliveries, secret, callback"),
            )
        ]
