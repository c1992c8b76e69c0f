"""What conversations hold of documents, as the registry of derived data needs it.

Answers and their citations are people's own and stay: a citation of a purged document keeps its quote.
"""

from chat.models import Turn
from datasources.derived import Change, DerivedData
from datasources.models import Datasource
from events import log


class Conversations(DerivedData):
    """Rows go with the datasource by their foreign keys, the events of turns do not."""

    loss = "conversations"

    def apply(self, change: Change) -> None:
        """Take purged documents' passages from those shown where nothing answered a question."""
        purged = set(change.purged)
        if not purged:
            return
        turns = Turn.objects.filter(conversation__datasource=change.datasource_id).exclude(nearest=[])
        for turn in turns.select_for_update(of=("self",)).only("nearest"):
            kept = [passage for passage in turn.nearest if passage["document"] not in purged]
            if kept != turn.nearest:
                turn.write(nearest=kept)

    def purge_datasource(self, datasource: Datasource) -> None:
        for turn in Turn.objects.filter(conversation__datasource=datasource).only("pk"):
            log.close_channel(turn.channel)

    def count_loss(self, datasource: Datasource) -> int:
        return datasource.conversations.count()
