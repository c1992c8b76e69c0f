"""What connected sources add to the documents page: the way to them, for owners."""

from collections.abc import Mapping, Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from datasources.models import Datasource, Role, is_at_least
from exchange.connectors.going import brought
from ingestion.web.contributions import Contribution, WayIn


class SourcesOnDocumentsPage(Contribution):
    def came_from(self, document_ids: Sequence[int]) -> Mapping[int, str]:
        return dict.fromkeys(brought(document_ids), _("from a connected source"))

    def ways_in(self, datasource: Datasource) -> Sequence[WayIn]:
        if not is_at_least(datasource.seen_as, Role.OWNER):
            return []
        label = _("Follow a folder, drive, mailbox, site or Git repository")
        return [
            WayIn(
                label=label, icon="folder", address=f"{reverse('connectors', args=[datasource.pk])}#connect"
            )
        ]
