"""What research adds to the documents page: papers as another way in."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from datasources.models import Datasource
from ingestion.web.contributions import Contribution, WayIn


class PapersOnDocumentsPage(Contribution):
    def ways_in(self, datasource: Datasource) -> Sequence[WayIn]:
        address = f"{reverse('import_papers')}?into={datasource.pk}"
        return [WayIn(label=_("Import papers from arXiv"), icon="book-open", address=address)]
