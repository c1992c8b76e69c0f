"""The frameworks in use, on the settings page of a datasource."""

from typing import Any

from django.utils.translation import gettext as _

from datasources.models import Datasource
from datasources.settings.panels import SettingsPanel
from desks.compliance.models import Framework
from settings_pages.search import Place, Setting

MOST_LISTED = 200  # documents from which a framework can be made


class FrameworksPanel(SettingsPanel):
    section, template, anchor = "general", "compliance/_settings.html", "frameworks"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        documents = datasource.documents.ready().order_by("title")
        return {
            "attached_frameworks": Framework.objects.filter(attachments__datasource=datasource),
            "numbered_documents": list(documents.values_list("pk", "title")[:MOST_LISTED]),
        }

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        told = _("Points that documents are checked against")
        return [place.setting(_("Lists of points"), self.anchor, help=told)]
