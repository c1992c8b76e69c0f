"""The documents of a datasource by their names, for whoever may only ask there."""

from django.core.paginator import Paginator
from django.db.models.functions import Lower
from django.http import HttpResponse
from django.shortcuts import render

from datasources.models import Datasource
from datasources.numbers import limited
from datasources.web.pages import HtmxRequest, bar

PAGE = 100
LONGEST = 200  # characters of what is looked for


def names_page(request: HtmxRequest, datasource: Datasource) -> HttpResponse:
    """With the words of ?find= those alone that have them in their title."""
    words = request.GET.get("find", "").strip()[:LONGEST]
    found = datasource.documents.current().only("title", "filename", "status", "page_count", "datasource")
    for word in words.split():
        found = found.filter(title__icontains=word)
    pages = Paginator(found.order_by(Lower("title"), "pk"), PAGE)
    context = bar(datasource, "documents") | {
        "words": words,
        "page": pages.get_page(limited(request.GET.get("page"), 1, 10**6)),
    }
    return render(request, "ingestion/names.html", context)
