"""Finding entries of the audit log, and saying what they are about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import QuerySet

from accounts.models import AuditEntry, User
from datasources.models import Datasource, Document
from datasources.numbers import number_in
from svq_site.audit.kinds import in_words
from svq_site.audit.opening import DOCUMENTS, addresses_of, kind_of, numbers

MOST = 100  # entries on a page
LAST = date(9000, 1, 1)
NONE = 0  # no datasource has this number


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An entry, the kind of thing in words, its name for those who may see names, and where the reader may
    open it.
    """

    entry: AuditEntry
    kind: str
    name: str
    address: str


def found(asked: Mapping[str, str]) -> QuerySet[AuditEntry]:
    """The newest first. asked: `who` (a part of the e-mail address), `act`, `document` and `datasource`
    (numbers), `from` and `to` (dates, both included). What is no number finds nothing.
    """
    entries = AuditEntry.objects.order_by("-pk")
    if who := asked.get("who", "").strip():
        entries = entries.filter(email__icontains=who.replace("\0", ""))
    if act := asked.get("act"):
        entries = entries.filter(act=act)
    if asked.get("document"):
        entries = entries.filter(subject__in=DOCUMENTS, number=str(number_in(asked["document"])))
    if asked.get("datasource"):
        entries = entries.filter(datasource=number_in(asked["datasource"]) or NONE)
    if begin := _day(asked.get("from")):
        entries = entries.filter(time__gte=begin)
    if end := _day(asked.get("to")):
        entries = entries.filter(time__lt=end + timedelta(days=1))
    return entries


def _day(written: str | None) -> datetime | None:
    try:
        return datetime.combine(min(date.fromisoformat(written or ""), LAST), time(), UTC)
    except ValueError:
        return None


def lines(entries: Sequence[AuditEntry], reader: User) -> Iterator[Line]:
    """For whoever may see contents with the names of what still exists, for others without."""
    titles: dict[str, str] = {}
    datasources: dict[int, str] = {}
    if reader.may_see_contents:
        found = Document.objects.filter(pk__in=numbers(entries, "document"))
        titles = {str(pk): title for pk, title in found.values_list("pk", "title")}
        named = [entry.datasource for entry in entries if entry.datasource]
        datasources = dict(Datasource.objects.filter(pk__in=named).values_list("pk", "name"))
    addresses = addresses_of(entries, reader)
    for entry in entries:
        kind = kind_of(entry)
        title = titles.get(entry.number) if kind == "document" else None
        yield Line(
            entry=entry,
            kind=in_words(entry.subject),
            name=title or datasources.get(entry.datasource or 0, ""),
            address=addresses.get((kind, entry.number), ""),
        )
