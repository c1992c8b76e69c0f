"""The events of a datasource as HTML for its documents page: cells, counts and the card, never a whole row.

A tick of its box or a word in a field would be lost with the row.
"""

from collections.abc import Iterable
from typing import Any, cast

from django.template.loader import render_to_string

from accounts.models import User
from datasources.models import Datasource, Document, Role
from events import log
from events.access import Person
from events.models import Event
from ingestion import progress
from ingestion.web.contributions import contributions
from ingestion.web.listing import state_counts
from ingestion.web.progress_card import indexing
from ingestion.web.rows import rows_of

LOOKED_BACK = 200  # events before the newest whose documents a snapshot repeats
WITH_ACTIONS = {"document_queued", "document_ready", "document_failed", "document_cancelled"}
FOR_ALL_ROWS = {"reading_paused", "reading_resumed"}


def snapshot(channel: str, user: Person) -> tuple[str, int]:
    """Whatever has changed of late, as it is now: it also catches up after a lost connection."""
    seq = log.last_seq(channel)
    recent = log.read(channel, max(0, seq - LOOKED_BACK), limit=LOOKED_BACK)
    datasource = _datasource(channel)
    return changed(datasource, {e.data["document"] for e in recent if "document" in e.data}, user), seq


def fragment(channel: str, event: Event, user: Person) -> str | None:
    """The cells of the event's document, the counts and the card."""
    datasource = _datasource(channel)
    ids: Iterable[int] = [event.data["document"]] if "document" in event.data else []
    if event.kind in FOR_ALL_ROWS:
        ids = (
            datasource.documents.unfinished().filter(passage=None).values_list("pk", flat=True)[:LOOKED_BACK]
        )
    return changed(datasource, ids, user, with_actions=event.kind in WITH_ACTIONS)


def _datasource(channel: str) -> Datasource:
    return Datasource.objects.get(pk=channel.partition(":")[2])


def changed(datasource: Datasource, ids: Iterable[int], user: Person, *, with_actions: bool = True) -> str:
    """Out-of-band swaps for these documents (rows of deleted ones go), the counts, the card and the undo."""
    ids = list(ids)
    documents = datasource.documents.current().in_bulk(ids)
    context: dict[str, Any] = {
        "rows": rows_of(list(documents.values()), paused=datasource.paused),
        "gone": [pk for pk in ids if pk not in documents],
        "with_actions": with_actions,
        **page_parts(datasource, user),
    }
    return render_to_string("ingestion/_changed.html", context)


def page_parts(datasource: Datasource, user: Person) -> dict[str, Any]:
    """What the page and every change to it have in common."""
    parts: dict[str, Any] = {}
    for part in contributions():
        parts |= part.notice_context(datasource)
    return {
        **parts,
        "columns": [part.column for part in contributions()],
        "notices": [part.notice for part in contributions()],
        "datasource": datasource,
        "can_edit": datasource.allows(cast(User, user), Role.EDITOR),
        "indexing": indexing(datasource),
        "states": state_counts(datasource),
        "removed": list(Document.objects.removed().filter(datasource=datasource).exclude(status_before="")),
        "channel": progress.channel(datasource.pk),
    }
