"""What share links show of documents, for the receipts of deletions. They keep nothing: pages are drawn from
the document while it is there, so a deleted one is on none of them from that moment on.
"""

from collections.abc import Mapping

from django.db.models import Exists, OuterRef, Q

from chat.models import Citation, TurnStatus
from datasources.derived import DerivedData, Subject
from datasources.models import Datasource
from exchange.shares.models import ShareLink


class Shares(DerivedData):
    """Rows go with their conversation by foreign keys."""

    loss, loss_at_zero = "share_links", False

    def count(self, subject: Subject) -> Mapping[str, int]:
        living = ShareLink.objects.living()
        if subject.whole:
            return {"share_links": living.filter(conversation__datasource=subject.datasource_id).count()}
        showing = living.filter(
            Q(turn=None) | Q(turn=OuterRef("turn")),
            conversation=OuterRef("turn__conversation"),
            last_number__gte=OuterRef("turn__number"),
        )
        quotes = Citation.objects.filter(Exists(showing), document__in=subject.documents)
        return {
            "pictures_of_quotes_in_share_links": quotes.exclude(turn__status=TurnStatus.NOT_FOUND).count()
        }

    def count_loss(self, datasource: Datasource) -> int:
        return ShareLink.objects.living().filter(conversation__datasource=datasource).count()
