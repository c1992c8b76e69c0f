"""Finding entries of the audit log, and saying what they are about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from accounts.models import AuditAct, AuditEntry, User
from datasources.models import Datasource, Document
from datasources.numbers import number_in
from svq_site.audit.acts import BY_ITSELF, PARTS
from svq_site.audit.kinds import in_words
from svq_site.audit.opening import DOCUMENTS, kind_of, numbers, opened
from svq_site.audit.pages import Pages, addresses

MOST = 100  # entries on a page
LAST = date(9000, 1, 1)
NONE = 0  # no datasource has this number
READING = timedelta(hours=1)  # within it, pictures of a document belong to the look at it


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An entry, the kind of thing in words and its number as people read it; its name and that of its
    datasource for those who may see them; where the reader may open it; the page that was asked for.
    """

    entry: AuditEntry
    kind: str
    number: str
    name: str
    place: str
    address: str
    page: str
    is_gone: bool


def found(asked: Mapping[str, str], reader: User) -> QuerySet[AuditEntry]:
    """The newest first. asked: `who` (a part of the e-mail address), `act`, `document` and `datasource` (part
    of the name, or the number), `from` and `to` (dates, both included). A name finds only what the reader may
    see, a number also what is gone.
    """
    entries = AuditEntry.objects.order_by("-pk")
    if who := asked.get("who", "").strip():
        entries = entries.filter(email__icontains=who.replace("\0", ""))
    if act := asked.get("act"):
        entries = entries.filter(act=act)
    if document := asked.get("document", "").strip():
        titled = _seen(Document, reader).filter(title__icontains=document.replace("\0", ""))
        of_title = Q(number__in=titled.annotate(written=Cast("pk", TextField())).values("written"))
        entries = entries.filter(of_title | Q(number=str(number_in(document))), subject__in=DOCUMENTS)
    if place := asked.get("datasource", "").strip():
        named = _seen(Datasource, reader).filter(name__icontains=place.replace("\0", ""))
        of_name = Q(datasource__in=named.values("pk"))
        entries = entries.filter(of_name | Q(datasource=number_in(place) or NONE))
    if begin := _day(asked.get("from")):
        entries = entries.filter(time__gte=begin)
    if end := _day(asked.get("to")):
        entries = entries.filter(time__lt=end + timedelta(days=1))
    return entries


def asked_by_people(entries: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
    """Without what pages ask for of themselves. Who takes pictures of pages alone is in sight."""
    by_itself, part = (Q(address__regex=addresses(frozenset(names))) for names in (BY_ITSELF, PARTS))
    same = {name: OuterRef(name) for name in ("person", "act", "subject", "number")}
    whole = AuditEntry.objects.filter(
        time__range=(OuterRef("time") - READING, OuterRef("time")), **same
    ).exclude(by_itself | part)
    return entries.exclude(by_itself | (part & Exists(whole)), act=AuditAct.SAW)


def _seen(model: Any, reader: User) -> QuerySet[Any]:
    """What the reader may see the names of."""
    rows: QuerySet[Any] = model.objects.all() if reader.may_see_contents else model.objects.visible_to(reader)
    return rows


def _day(written: str | None) -> datetime | None:
    try:
        return datetime.combine(min(date.fromisoformat(written or ""), LAST), time(), UTC)
    except ValueError:
        return None


def lines(entries: Sequence[AuditEntry], reader: User) -> Iterator[Line]:
    """For whoever may see contents with the names of what still exists, for others with those of what they
    may open.
    """
    titles = dict(Document.objects.filter(pk__in=numbers(entries, "document")).values_list("pk", "title"))
    places = {entry.datasource for entry in entries if entry.datasource} | numbers(entries, "datasource")
    names = dict(Datasource.objects.filter(pk__in=places).values_list("pk", "name"))
    there = {("document", str(pk)): title for pk, title in titles.items()}
    there |= {("datasource", str(pk)): name for pk, name in names.items()}
    by_role, pages = opened(entries, reader), Pages(reader)

    def name_of(thing: tuple[str, str]) -> str:
        return by_role.get(thing, ("", ""))[1] or (there.get(thing, "") if reader.may_see_contents else "")

    for entry in entries:
        thing = kind_of(entry), entry.number
        yield Line(
            entry=entry,
            kind=in_words(entry.subject),
            number=entry.number.partition("-")[0],
            name=name_of(thing),
            place=name_of(("datasource", str(entry.datasource))) if thing[0] != "datasource" else "",
            address=by_role.get(thing, ("", ""))[0],
            page=pages.of(entry.address),
            is_gone=thing[0] in ("document", "datasource") and entry.number != "" and thing not in there,
        )
