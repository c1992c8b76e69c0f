"""Finding entries of the audit log, and saying what they are about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.apps import apps
from django.db.models import QuerySet

from accounts.models import AuditEntry, User
from datasources.models import Datasource, Document
from datasources.numbers import number_in

MOST = 100  # entries on a page
DOCUMENTS = ("document", Document._meta.label)  # as requests and as administrators' looks call one
LAST = date(9000, 1, 1)
NONE = 0  # no datasource has this number


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An entry, the kind of thing in words, and its name for those who may see names."""

    entry: AuditEntry
    kind: str
    name: str


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
    documents, datasources = {}, {}
    if reader.may_see_contents:
        numbers = [int(entry.number) for entry in entries if _is_document(entry)]
        documents = dict(Document.objects.filter(pk__in=numbers).values_list("pk", "title"))
        numbers = [entry.datasource for entry in entries if entry.datasource]
        datasources = dict(Datasource.objects.filter(pk__in=numbers).values_list("pk", "name"))
    for entry in entries:
        named = documents.get(int(entry.number)) if _is_document(entry) else None
        yield Line(
            entry=entry, kind=_kind(entry.subject), name=named or datasources.get(entry.datasource or 0, "")
        )


def _kind(subject: str) -> str:
    """Of a model's label ("accounts.User") its name; of all else the words themselves."""
    try:
        return str(apps.get_model(subject)._meta.verbose_name)
    except (LookupError, ValueError):
        return subject


def _is_document(entry: AuditEntry) -> bool:
    return entry.subject in DOCUMENTS and entry.number.isascii() and entry.number.isdigit()
