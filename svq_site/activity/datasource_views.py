"""The page of what has happened in a datasource."""

from datetime import UTC, datetime, timedelta

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from datasources.numbers import number_in
from datasources.web.pages import HtmxRequest, bar, datasource_for, signed_in
from svq_site.activity.happenings import MOST, happenings

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
LATEST = 10**16  # microseconds; more than that is no date


@login_required
@require_safe
def activity(request: HtmxRequest, pk: int) -> HttpResponse:
    """The newest; ?before= are the microseconds of the last one that a page has shown."""
    datasource = datasource_for(request, pk)
    told = number_in(request.GET.get("before"))
    before = EPOCH + told * MICROSECOND if told and told < LATEST else None
    rows = happenings(signed_in(request), datasource, before)
    older = (rows[-1].when - EPOCH) // MICROSECOND if len(rows) == MOST else None
    context = bar(datasource, "activity") | {"rows": rows, "older": older, "is_first": before is None}
    return render(request, "activity/datasource.html", context)
