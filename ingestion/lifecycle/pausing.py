"""Pausing the reading of a datasource's documents, and going on with it."""

from django.db import transaction

from datasources.models import Datasource
from events import log
from ingestion import progress
from ingestion.queueing import queue_unfinished
from ingestion.step import steps


@transaction.atomic
def pause(datasource: Datasource) -> None:
    """Let all reading wait: what runs stops at its next write and keeps what it has stored."""
    if _switch(datasource, paused=True):
        datasource.documents.unfinished().update(run_token=None)
        log.append(progress.channel(datasource.pk), "reading_paused", {})


@transaction.atomic
def resume(datasource: Datasource) -> None:
    """Queue everything that waits; each document goes on from what is stored."""
    if _switch(datasource, paused=False):
        # Locked one after the other: whoever was cancelled or deleted meanwhile is unfinished no more.
        waiting = datasource.documents.unfinished().select_for_update(of=("self",)).order_by("pk")
        queue_unfinished(list(waiting))
        for step in steps():
            step.resume(datasource)
        log.append(progress.channel(datasource.pk), "reading_resumed", {})


def _switch(datasource: Datasource, *, paused: bool) -> bool:
    """Whether that changes anything. The row stays locked until the commit, see `run.is_paused`."""
    row = Datasource.objects.select_for_update(no_key=True).get(pk=datasource.pk)
    changed = row.paused != paused
    row.paused = datasource.paused = paused
    row.save(update_fields=["paused", "updated"])
    return changed
