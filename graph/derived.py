"""What the graph holds of documents, as the registry of derived data needs it."""

from collections.abc import Mapping

from datasources.derived import Change, DerivedData, Subject
from datasources.models import Datasource
from graph.aggregate import update
from graph.aggregate.queue import defer_embed_graph
from graph.curation import services as curation
from graph.document_map import build
from graph.models import (
    ChunkExtraction,
    Decision,
    DocumentNode,
    Entity,
    EntityMention,
    Relation,
    RelationMention,
)


class Graph(DerivedData):
    def apply(self, change: Change) -> None:
        """One pass over the graph for all that comes and goes."""
        for old, new in change.superseded.items():
            curation.hand_on(change.datasource_id, old, new)
        if change.purged:
            curation.forget(change.datasource_id, change.purged)
            build.forget_groups(change.datasource_id, change.purged)
        update.change(
            change.datasource_id,
            added=change.published,
            removed=change.without_chunks,
            withdrawn=change.withdrawn,
        )
        if (change.published or change.purged) and not change.more_follows:
            defer_embed_graph(change.datasource_id)

    def purge_datasource(self, datasource: Datasource) -> None:
        update.drop(datasource.pk)

    def count(self, subject: Subject) -> Mapping[str, int]:
        """Entities stand in other documents too: theirs are counted for a whole datasource alone."""
        made = (
            ("mentions", EntityMention),
            ("relation_mentions", RelationMention),
            ("extractions", ChunkExtraction),
            ("places_on_the_map", DocumentNode),
            ("decisions", Decision),
        )
        whole = (("entities", Entity), ("relations", Relation)) if subject.whole else ()
        counts = {kind: model.objects.filter(document__in=subject.documents).count() for kind, model in made}
        return counts | {
            kind: model.objects.filter(datasource=subject.datasource_id).count() for kind, model in whole
        }
