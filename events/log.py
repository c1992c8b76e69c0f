"""The event log: append, read, hand over, trim. The one place that writes the tables of this app."""

import json
from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from events.models import Channel, Event

NOTIFY_CHANNEL = "svq_events"
READ_LIMIT = 500
TRIM_BATCH = 5000

# NOTIFY refuses 8000 bytes and fails the whole append with it, so the finished payload is measured.
NOTIFY_LIMIT = 7900

COUNT_OPEN = """
    INSERT INTO event_channel AS c (name, last_seq) VALUES (%(channel)s, 1)
    ON CONFLICT (name) DO UPDATE SET last_seq = c.last_seq + 1 WHERE c.run_token IS NULL
    RETURNING last_seq
"""
COUNT_FENCED = """
    UPDATE event_channel SET last_seq = last_seq + 1
    WHERE name = %(channel)s AND run_token = %(run_token)s
    RETURNING last_seq
"""
# The counter's row stays locked until the commit: numbers are without gaps and in the order of commits,
# whoever writes. A notification is sent by the commit, too.
APPEND = """
WITH counted AS ({count}),
stored AS (
    INSERT INTO event (channel, seq, kind, data, final, ephemeral, created)
    SELECT %(channel)s, last_seq, %(kind)s, %(data)s::jsonb, %(final)s, %(ephemeral)s, clock_timestamp()
    FROM counted
    RETURNING seq, jsonb_build_array(channel, seq, kind, data, final, created)::text AS whole
)
SELECT seq, {durability} pg_notify(
    '{notify_channel}',
    CASE WHEN octet_length(whole) < {limit} THEN whole ELSE json_build_array(%(channel)s::text, seq)::text END
) FROM stored
"""
# Local to the transaction, which outside an atomic block is this one statement.
NOT_DURABLE = "set_config('synchronous_commit', 'off', true),"

TRIM_EPHEMERAL = """
DELETE FROM event WHERE ctid IN (
    SELECT piece.ctid FROM event piece JOIN event finish USING (channel)
    WHERE piece.ephemeral AND finish.final AND finish.created < now() - interval '10 minutes'
    LIMIT %s
)
"""
# The newest event of a channel stays: it tells that a turn is over and where the numbers stand.
TRIM_OLD = """
DELETE FROM event WHERE ctid IN (
    SELECT old.ctid FROM event old JOIN event_channel ON name = channel
    WHERE created < now() - interval '7 days' AND seq < last_seq
    LIMIT %s
)
"""


class Fenced(Exception):
    """Another run owns the channel now: whoever gets this must stop and write nothing more."""


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
    durability = NOT_DURABLE if ephemeral and connection.get_autocommit() else ""
    count = COUNT_FENCED if run_token else COUNT_OPEN
    sql = APPEND.format(count=count, durability=durability, notify_channel=NOTIFY_CHANNEL, limit=NOTIFY_LIMIT)
    values = {
        "channel": channel,
        "kind": kind,
        "data": json.dumps(storable({"v": 1, **data}), ensure_ascii=False, allow_nan=False),
        "run_token": run_token,
        "final": final,
        "ephemeral": ephemeral,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        row = cursor.fetchone()
    if row is None:
        raise Fenced(f"The channel {channel} belongs to another run or is closed.")
    return int(row[0])


def storable(value: Any) -> Any:
    """The value with every character that Postgres cannot keep replaced by U+FFFD (NUL, lone surrogates)."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return value


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
    """Delete what no reader needs: ephemeral events 10 minutes after the final one, and all after 7 days.

    Returns how many went. The newest event of each channel stays.
    """
    return sum(delete_in_batches(sql) for sql in (TRIM_EPHEMERAL, TRIM_OLD))


def delete_in_batches(sql: str) -> int:
    """Short statements, so that writers never wait long."""
    total = 0
    with connection.cursor() as cursor:
        while True:
            cursor.execute(sql, [TRIM_BATCH])
            total += cursor.rowcount
            if cursor.rowcount < TRIM_BATCH:
                return total
