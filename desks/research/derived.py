"""What research makes from documents: their references. Papers go with their documents."""

from collections.abc import Mapping

from procrastinate.contrib.django import app
from procrastinate.types import JSONValue

from datasources.derived import Change, DerivedData, Subject
from datasources.lanes import lane_of
from desks.research.models import Paper, Reference


class References(DerivedData):
    def apply(self, change: Change) -> None:
        """Read them of papers that are published; those of an older version go with its chunks."""
        if gone := [*change.superseded, *change.purged]:
            Reference.objects.filter(document__in=gone).delete()
        papers = Paper.objects.filter(document__in=list(change.published), has_full_text=True)
        documents: list[JSONValue] = [*papers.values_list("pk", flat=True)]
        if documents:
            task = app.configure_task("read_references", allow_unknown=False)
            task.defer(document_ids=documents, lane=lane_of(change.datasource_id).place())

    def count(self, subject: Subject) -> Mapping[str, int]:
        rows = Reference.objects.filter(document__datasource=subject.datasource_id)
        rows = rows if subject.whole else rows.filter(document__in=subject.documents)
        return {"references": rows.count()}
