"""Seals over the audit log: each has a hash over its entries and the seal before, so that an entry that was
changed or removed later is found, and one that was added stands under a seal of that later time. Whoever can
write to the database could make all seals again: the newest hash, kept elsewhere, shows that too.
"""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import AuditAct, AuditEntry, AuditSeal
from sql import rows

FIRST = "0" * 64
MOST = 2_000  # entries of a seal
LOCK = 7_304_118  # one process seals or forgets at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What `check` has found. wrong: the newest seal that does not fit. not_sealed: entries without a seal.
    emptied: seals whose entries were deleted because their time was over, and until when these were.

    since: the time of the oldest seal that was looked at, where the time did not suffice for all.
    """

    entries: int
    seals: int
    not_sealed: int
    newest: AuditSeal | None
    wrong: AuditSeal | None
    since: datetime | None
    emptied: int = 0
    emptied_until: datetime | None = None


def seal() -> int:
    """Seal what has none yet, MOST at a time; how many entries that were."""
    done = 0
    while sealed := _seal_some():
        done += sealed
    return done


@transaction.atomic
def _seal_some() -> int:
    _take_turns()
    entries = list(AuditEntry.objects.filter(seal=None).order_by("pk")[:MOST])
    if not entries:
        return 0
    last = AuditSeal.objects.last()
    made = AuditSeal(
        entries=len(entries),
        before=last.digest if last else FIRST,
        until=max(entry.time for entry in entries),
    )
    made.digest = digest_of(made, entries)
    made.save()
    AuditEntry.objects.filter(pk__in=[entry.pk for entry in entries]).update(seal=made)
    return len(entries)


def _take_turns() -> None:
    rows("SELECT pg_advisory_xact_lock(%s)", LOCK)


def digest_of(one: AuditSeal, entries: Sequence[AuditEntry]) -> str:
    """SHA-256, in hex, of a line of JSON for the seal and one for each entry, in the order of their ids."""
    hashed = hashlib.sha256()
    for facts in ([one.before, one.entries, _written(one.until)], *map(_facts, entries)):
        hashed.update(json.dumps(facts, ensure_ascii=False).encode() + b"\n")
    return hashed.hexdigest()


def _facts(entry: AuditEntry) -> list[Any]:
    """All but whether the account still exists, which its deletion changes."""
    return [
        entry.pk,
        _written(entry.time),
        entry.email,
        entry.token,
        entry.act,
        entry.subject,
        entry.number,
        entry.datasource,
        entry.address,
    ]


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


def check(seconds: float | None = None) -> Verdict:
    """Compute the seals again and compare, the newest first. seconds: how long it may take.

    It looks at the log at one moment, so that sealing and forgetting do not disturb it.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        if not connection.savepoint_ids:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        return _checked(None if seconds is None else time.monotonic() + seconds)


def _checked(deadline: float | None) -> Verdict:
    forgotten, checked, entries = _forgotten_until(), 0, 0
    newest = wrong = after = since = emptied_until = None
    emptied = 0
    for one in AuditSeal.objects.order_by("-pk").iterator(chunk_size=200):
        kept = [] if one.emptied else list(one.sealed.order_by("pk"))
        newest, checked, entries = newest or one, checked + 1, entries + len(kept)
        if one.emptied:
            emptied, emptied_until = emptied + 1, emptied_until or one.until
            fits = forgotten is not None and one.until <= forgotten
        else:
            fits = one.digest == digest_of(one, kept) and one.entries == len(kept)
        if wrong is None and not (fits and (after is None or after.before == one.digest)):
            wrong = one
        after = one
        if deadline is not None and time.monotonic() > deadline:
            since = one.time
            break
    if since is None and after is not None and after.before != FIRST:
        wrong = wrong or after
    rest = AuditEntry.objects.filter(seal=None).count()
    return Verdict(
        entries=entries + rest,
        seals=checked,
        not_sealed=rest,
        newest=newest,
        wrong=wrong,
        since=since,
        emptied=emptied,
        emptied_until=emptied_until,
    )


def forget(days: int) -> int:
    """Delete the entries of seals all of whose entries are older than so many days; 0: none, ever. How many
    were deleted. The seals stay, so that the chain can still be followed, and an entry says what went.
    """
    if not days:
        return 0
    end, gone = timezone.now() - timedelta(days=days), 0
    with transaction.atomic(), connection.cursor() as cursor:
        _take_turns()
        over = list(AuditSeal.objects.filter(emptied=False, until__lt=end).values_list("pk", flat=True))
        cursor.execute("SET LOCAL svq.forgets_audit_entries = 'on'")
        for one in over:
            gone += AuditEntry.objects.filter(seal=one)._raw_delete(using="default")
        AuditSeal.objects.filter(pk__in=over).update(emptied=True)
        if over:
            AuditEntry.objects.create(
                act=AuditAct.FORGOT, subject=AuditEntry._meta.label, address=_written(end)
            )
    return gone


def _forgotten_until() -> datetime | None:
    """Entries up to then may be missing: their time was over."""
    noted = AuditEntry.objects.filter(act=AuditAct.FORGOT).values_list("address", flat=True)
    return max(map(datetime.fromisoformat, noted), default=None)
