"""The audit log, for administrators: searched, checked and taken away as CSV."""

import csv
from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import audit_seals as seals
from accounts.audit import note_thing
from accounts.models import AuditAct
from datasources.numbers import number_in
from datasources.storage.in_blocks import text_in_blocks
from datasources.web.pages import signed_in
from providers.web.administrators import administrators_only
from svq_site.audit.search import MOST, asked_by_people, found, lines
from text.tables.spreadsheets import inert

COLUMNS = ("id", "time", "email", "token", "act", "subject", "number", "datasource", "address", "seal")
FILTERS = ("who", "act", "document", "datasource", "from", "to", "all")
AT_ONCE = 1_000  # rows that are read of the database
CHECKED_FOR = 20  # seconds at most


@require_safe
@administrators_only
def audit_log(request: HttpRequest) -> HttpResponse:
    """?before= is the number of the last entry that a page has shown; ?check= computes the seals again;
    ?all= lists also what pages ask for of themselves.
    """
    asked, reader = request.GET.dict(), signed_in(request)
    every = found(asked, reader)
    entries = every if asked.get("all") else asked_by_people(every)
    if before := number_in(asked.get("before")):
        entries = entries.filter(pk__lt=before)
    shown = list(entries[: MOST + 1])
    chosen = request.GET.copy()
    for name in [name for name in chosen if name not in FILTERS or not chosen[name]]:
        del chosen[name]
    if reader.may_see_contents:
        note_thing(reader, AuditAct.LOOKED, subject="audit log", address=f"GET {request.path}")
    context = {
        "lines": list(lines(shown[:MOST], reader)),
        "older": shown[MOST - 1].pk if len(shown) > MOST else None,
        "is_first": not before,
        "only_by_itself": not shown and not before and every.exists(),
        "asked": asked,
        "chosen": chosen.urlencode(),
        "acts": AuditAct.choices,
        "more_asked": any(asked.get(name) for name in ("document", "datasource", "all")),
        "days": settings.AUDIT_DAYS,
        "verdict": seals.check(CHECKED_FOR) if "check" in asked else None,
        "here": "audit_log",
        "tab": "account",
    }
    return render(request, "audit/log.html", context)


@require_safe
@administrators_only
def audit_csv(request: HttpRequest) -> StreamingHttpResponse:
    """All entries that are searched for, the oldest first, without names."""
    entries = found(request.GET.dict(), signed_in(request)).order_by("pk").values_list(*COLUMNS)
    made = text_in_blocks(_lines(entries.iterator(chunk_size=AT_ONCE)))
    answer = StreamingHttpResponse(made, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="audit-log.csv"'
    return answer


class _Line:
    """What `csv` writes into: it gives each line back."""

    def write(self, line: str) -> str:
        return line


def _lines(rows: Iterator[tuple[object, ...]]) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow(COLUMNS)
    for row in rows:
        yield writer.writerow([inert(value) for value in row])
