"""The event log: append, read, hand over, trim. Only this module writes the app's tables."""

import json
from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from events.models import Channel, Event
from events.sql import query
from text.normal_forms.storable import storable

NOTIFY_CHANNEL = "svq_events"
READ_LIMIT = 500
TRIM_BATCH = 5000

# NOTIFY refuses 8000 bytes and fails the whole append with it, so the finished payload is measured.
NOTIFY_LIMIT = 7900


class Fenced(Exception):
    """Another run owns the channel now: the caller must stop and write nothing more."""


def append(
    channel: str,
    kind: str,
    data: dict[str, Any],
    *,
    run_token: UUID | None = None,
    final: bool = False,
    ephemeral: bool = False,
) -> int:
    """Store one event, wake its readers at the commit, and return its number (from 1 in each channel).

    `data` becomes JSON with `"v": 1` in front. Without `run_token` a missing channel is made; a channel that
    belongs to a run takes events only with that run's token, else Fenced is raised. `final` and `ephemeral`:
    see Event. An ephemeral event does not wait for the disk, unless it is part of a transaction.
    """
    stored = query(
        "append_fenced" if run_token else "append",
        channel=channel,
        kind=kind,
        data=json.dumps(storable({"v": 1, **data}), ensure_ascii=False, allow_nan=False),
        run_token=run_token,
        final=final,
        ephemeral=ephemeral,
        without_disk=ephemeral and connection.get_autocommit(),
        notify_channel=NOTIFY_CHANNEL,
        notify_limit=NOTIFY_LIMIT,
    )
    if not stored:
        raise Fenced(f"The channel {channel} belongs to another run or is closed.")
    return int(stored[0][0])


def open_channel(name: str, run_token: UUID | None = None) -> None:
    """Make the channel, or hand it to another run: from then on older tokens are fenced. Events stay."""
    Channel.objects.bulk_create(
        [Channel(name=name, run_token=run_token)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["run_token"],
    )


def close_channel(name: str) -> None:
    """Delete the channel and its events. Whoever still holds its token is fenced."""
    with transaction.atomic():
        # In this order: the lock on the channel waits for an append under way, then its event is seen too.
        Channel.objects.filter(name=name).delete()
        Event.objects.filter(channel=name).delete()


def forget(channel: str, name: str, values: Collection[Any]) -> None:
    """Delete the channel's events whose data has one of these values under that name."""
    Event.objects.filter(**{"channel": channel, f"data__{name}__in": list(values)}).delete()


def keep_final_events(channels: Collection[str]) -> None:
    """Delete all events of these finished channels except the final ones."""
    Event.objects.filter(channel__in=channels, final=False).delete()


def read(channel: str, after: int = 0, limit: int = READ_LIMIT) -> list[Event]:
    """Events with a number above `after`, ascending, at most `limit`. Trimming may have left holes."""
    return list(Event.objects.filter(channel=channel, seq__gt=after).order_by("seq")[:limit])


def last_seq(channel: str) -> int:
    """Number of the newest event; 0 for an empty or unknown channel."""
    return last_seqs([channel]).get(channel, 0)


def last_seqs(channels: list[str]) -> dict[str, int]:
    """The same for many channels; unknown ones are missing."""
    return dict(Channel.objects.filter(name__in=channels).values_list("name", "last_seq"))


def trim() -> int:
    """Delete what no reader needs: ephemeral events 10 minutes after the final one, others after 7 days.

    Returns how many were deleted. The newest event of each channel stays.
    """
    return sum(_trim(statement) for statement in ("trim_ephemeral", "trim_old"))


def _trim(statement: str) -> int:
    """Run it in batches, so that writers never wait long."""
    total = 0
    while True:
        ((count,),) = query(statement, batch=TRIM_BATCH)
        total += count
        if count < TRIM_BATCH:
            return total
