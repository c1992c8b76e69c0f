"""Points to carry out: a calendar of dates, a spreadsheet of everything."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from icalendar import Calendar, Event

from datasources.web.downloads import saved_as
from digest.gathering import Found, Glance
from digest.points import Kind
from formats.sheets.format import SHEETS
from localization.promises import StrOrPromise
from text.search.excerpt import excerpt
from text.tables.workbooks import Sheet, workbook

WIDTHS = (16, 24, 12, 20, 10, 90, 40, 8, 60)
HEADS = (
    pgettext_lazy("a column", "Kind"),
    pgettext_lazy("a column", "Value"),
    pgettext_lazy("a column", "Date"),
    pgettext_lazy("a column", "Party"),
    pgettext_lazy("a column", "Stance"),
    pgettext_lazy("a column", "Sentence"),
    pgettext_lazy("a column", "Document"),
    pgettext_lazy("a column", "Page"),
    pgettext_lazy("a column", "Link"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """write: from what was found and the address of this site."""

    name: StrOrPromise
    mime: str
    write: Callable[[Glance, str], bytes]


def calendar(glance: Glance, site: str) -> bytes:
    """RFC 5545: an event of a whole day for each date whose day is told."""
    made = Calendar()
    made.add("prodid", "-//SVQ//Dates of documents//EN")
    made.add("version", "2.0")
    for found in glance.points[Kind.DATE]:
        point = found.placed.point
        if point.day is None or point.month_alone:
            continue
        event = Event()
        key = (
            f"{found.document.pk}/{point.day}/{found.placed.before}/{found.placed.value}/{found.placed.after}"
        )
        event.add("uid", f"{sha256(key.encode()).hexdigest()[:32]}@svq")
        event.add("dtstamp", timezone.now())
        event.add("dtstart", point.day)
        event.add("summary", point.about or excerpt(found.placed.statement)[:120])
        where = _("{title}, page {page}").format(title=found.document.title, page=found.placed.page)
        event.add("description", f"{found.placed.statement}\n{where}")
        event.add("url", _link(found, site))
        made.add_component(event)
    return bytes(made.to_ical())


def spreadsheet(glance: Glance, site: str) -> bytes:
    rows = _rows(glance, site)
    return workbook([Sheet(name=_("At a glance"), heads=HEADS, rows=rows, widths=WIDTHS, filtered=True)])


def _rows(glance: Glance, site: str) -> Iterable[tuple[str, ...]]:
    for kind in Kind:
        for found in glance.points[kind]:
            point = found.placed.point
            day = point.day.isoformat() if point.day else ""
            yield (
                str(kind.label),
                point.stance.words if point.stance else point.label,
                day[:7] if point.month_alone else day,
                point.party or point.about,
                point.stance.words if point.stance else "",
                found.placed.statement,
                found.document.title,
                str(found.placed.page),
                _link(found, site),
            )


def _link(found: Found, site: str) -> str:
    address = reverse("reader", args=[found.document.datasource_id, found.document.pk])
    return f"{site}{address}?page={found.placed.page}"


FORMS = {
    "ics": Form(
        name=gettext_lazy("Calendar of the dates"), mime="text/calendar; charset=utf-8", write=calendar
    ),
    "xlsx": Form(name=gettext_lazy("Spreadsheet of everything"), mime=SHEETS.mime, write=spreadsheet),
}


def as_file(glance: Glance, form: str, name: str, site: str) -> HttpResponse:
    """Raises KeyError for a form that there is not."""
    chosen = FORMS[form]
    response = HttpResponse(chosen.write(glance, site), content_type=chosen.mime)
    response.headers["Content-Disposition"] = saved_as(f"{name}.{form}")
    return response
