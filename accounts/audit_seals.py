"""Seals over the audit log: each has a hash over its entries and the seal before, so that an entry that was
changed, removed or added later is found. Whoever can write to the database could make all seals again: the
newest hash, kept elsewhere, shows that too.
"""

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import AuditEntry, AuditSeal
from accounts.sql import query

FIRST = "0" * 64
MOST = 2_000  # entries of a seal
LOCK = 7_304_118  # one process seals at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What `check` has found. wrong: the first seal that does not fit. not_sealed: entries without a seal."""

    entries: int
    seals: int
    not_sealed: int
    newest: AuditSeal | None
    wrong: AuditSeal | None


def seal() -> int:
    """Seal what has none yet, MOST at a time; how many entries that were."""
    done = 0
    while sealed := _seal_some():
        done += sealed
    return done


@transaction.atomic
def _seal_some() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    found = [pk for (pk,) in query("to_be_sealed", limit=MOST)]
    if not found:
        return 0
    entries = list(AuditEntry.objects.filter(pk__in=found).order_by("pk"))
    last = AuditSeal.objects.last()
    before = last.digest if last else FIRST
    made = AuditSeal.objects.create(
        entries=len(entries),
        before=before,
        digest=digest_of(before, entries),
        until=max(entry.time for entry in entries),
    )
    AuditEntry.objects.filter(pk__in=found).update(seal=made)
    return len(entries)


def digest_of(before: str, entries: list[AuditEntry]) -> str:
    """SHA-256, in hex, of the hash before and a line of JSON for each entry, in the order of their ids."""
    hashed = hashlib.sha256(before.encode())
    for entry in entries:
        hashed.update(json.dumps(_facts(entry), ensure_ascii=False).encode() + b"\n")
    return hashed.hexdigest()


def _facts(entry: AuditEntry) -> list[str | int | None]:
    """All but whether the account still exists, which its deletion changes."""
    return [
        entry.pk, entry.time.astimezone(UTC).isoformat(), entry.email, entry.token, entry.act, entry.subject,
        entry.number, entry.datasource, entry.address,
    ]  # fmt: skip


def check(days: int) -> Verdict:
    """Compute every seal again and compare. days: how long entries are kept; 0: for ever."""
    before, checked, entries = FIRST, 0, 0
    newest = wrong = None
    for newest in AuditSeal.objects.order_by("pk").iterator(chunk_size=200):
        checked += 1
        kept = [] if newest.emptied else list(newest.sealed.order_by("pk"))
        entries += len(kept)
        holds = (
            _is_over(newest, days)
            if newest.emptied
            else (len(kept), digest_of(before, kept)) == (newest.entries, newest.digest)
        )
        if wrong is None and (newest.before != before or not holds):
            wrong = newest
        before = newest.digest
    rest = AuditEntry.objects.filter(seal=None).count()
    return Verdict(entries=entries + rest, seals=checked, not_sealed=rest, newest=newest, wrong=wrong)


def _is_over(one: AuditSeal, days: int) -> bool:
    return bool(days) and one.until < timezone.now() - timedelta(days=days)


def forget(days: int) -> int:
    """Delete the entries of seals all of whose entries are older than so many days; 0: none, ever. How many
    were deleted. The seals stay, so that the chain can still be followed.
    """
    if not days:
        return 0
    gone = 0
    for one in AuditSeal.objects.filter(emptied=False, until__lt=timezone.now() - timedelta(days=days)):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL svq.forgets_audit_entries = 'on'")
            gone += AuditEntry.objects.filter(seal=one)._raw_delete(using="default")
            AuditSeal.objects.filter(pk=one.pk).update(emptied=True)
    return gone


def earliest() -> datetime | None:
    """The time of the oldest entry."""
    return AuditEntry.objects.order_by("time").values_list("time", flat=True).first()
