"""The card above the documents: how many of their pages can be searched, and when all of them can."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from datasources.counts import DocumentCounts, document_counts
from datasources.models import Datasource
from ingestion.throughput import as_words, seconds_left_of_all


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingProgress:
    """`left` is a phrase such as “about 2 min left”, or empty when it can't be told."""

    counts: DocumentCounts
    paused: bool
    left: str


def reading_progress(datasource: Datasource) -> ReadingProgress | None:
    """None when nothing waits to be read."""
    counts = document_counts(datasource.documents.all())
    if not counts.in_work:
        return None
    seconds = None if datasource.paused else seconds_left_of_all(datasource)
    left = "" if seconds is None else _("about {time} left").format(time=as_words(seconds))
    return ReadingProgress(counts=counts, paused=datasource.paused, left=left)
