"""The frameworks in use, on the settings page of a datasource."""

from typing import Any

from compliance.models import Framework
from datasources.models import Datasource
from datasources.settings_page import SettingsSection

MOST_LISTED = 200  # documents from which a framework can be made


class FrameworksOnSettingsPage(SettingsSection):
    template = "compliance/_settings.html"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        documents = datasource.documents.ready().order_by("title")
        return {
            "attached_frameworks": Framework.objects.filter(attachments__datasource=datasource),
            "numbered_documents": list(documents.values_list("pk", "title")[:MOST_LISTED]),
        }
