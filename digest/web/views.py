"""What documents say of parties, dates, time limits, sums, duties and terms, with every sentence."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from datasources.models import Datasource, Document
from datasources.numbers import limited, number_in, numbers_in
from datasources.refusals import too_busy
from datasources.web.pages import bar, datasource_for, find_document, signed_in
from digest.duties import UNNAMED
from digest.exports import FORMS, as_file
from digest.gathering import MOST_PAGES, Found, Glance, by_statement, definitions, glance
from digest.points import Kind
from digest.reading import name_of
from digest.slots import READING
from jobs.fair_slots import Busy
from reader.page_images import said_of_pages

MOST_CHARACTERS = 10**9
SHOWN = 25  # of each kind at once; the others are unfolded
BUSY = _("Several documents are being read for you just now. Nothing was made; try again in a few seconds.")


@login_required
@require_safe
def of_document(request: HttpRequest, pk: int, doc: int) -> HttpResponse:
    document = find_document(request, pk, doc)
    context = {
        "document": document,
        "said_of_pages": said_of_pages(document),
        "files": [
            (reverse("document_glance_file", args=[pk, doc, form]), each.name) for form, each in FORMS.items()
        ],
    }
    return _page(request, document.datasource, _alone(document), context)


@login_required
@require_safe
def file_of_document(request: HttpRequest, pk: int, doc: int, form: str) -> HttpResponse:
    document = find_document(request, pk, doc)
    return _file(request, _alone(document), form, document.title)


@login_required
@require_safe
def terms_of_document(request: HttpRequest, pk: int, doc: int) -> HttpResponse:
    """A part of a page: what the document defines of the words of ?page=, or from ?start= to ?end= of its
    text. Empty where it defines none of them.
    """
    document = find_document(request, pk, doc)
    if page := document.pages.filter(number=number_in(request.GET.get("page", "")) or 0).first():
        start, end = page.start, page.start + len(page.text)
    else:
        start = limited(request.GET.get("start"), 0, MOST_CHARACTERS)
        end = limited(request.GET.get("end"), 0, MOST_CHARACTERS)
    try:
        with READING.taken_by(signed_in(request).pk):
            found = definitions(document, start, end)
    except Busy:
        found = []
    return render(
        request, "digest/_terms.html", {"document": document, "defined": by_statement(found[:SHOWN])}
    )


@login_required
@require_safe
def of_datasource(request: HttpRequest, pk: int) -> HttpResponse:
    """All documents, or those of ?documents=."""
    datasource = datasource_for(request, pk)
    chosen = numbers_in(request.GET.getlist("documents"))
    query = f"?{request.GET.urlencode()}" if chosen else ""
    files = [(reverse("glance_file", args=[pk, form]) + query, each.name) for form, each in FORMS.items()]
    return _page(request, datasource, _documents(datasource, chosen), {"files": files})


@login_required
@require_safe
def file_of_datasource(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    datasource = datasource_for(request, pk)
    chosen = numbers_in(request.GET.getlist("documents"))
    return _file(request, _documents(datasource, chosen), form, datasource.name)


def _alone(document: Document) -> QuerySet[Document]:
    return Document.objects.filter(pk=document.pk)


def _documents(datasource: Datasource, chosen: list[int]) -> QuerySet[Document]:
    """Those that can be searched, by title."""
    documents = datasource.documents.current().ready()
    return (documents.filter(pk__in=chosen) if chosen else documents).order_by("title", "pk")


def _page(
    request: HttpRequest, datasource: Datasource, documents: QuerySet[Document], context: dict[str, Any]
) -> HttpResponse:
    context |= bar(datasource, "documents") | {"most_pages": MOST_PAGES}
    try:
        seen = glance(documents, asker=signed_in(request).pk)
    except Busy:
        return render(request, "digest/glance.html", context | {"busy": True}, status=503)
    context |= {
        "glance": seen,
        "sections": [(kind, _groups(kind, seen)) for kind in Kind if seen.points[kind]],
        "shown": f":{SHOWN}",
        "more": f"{SHOWN}:",
    }
    return render(request, "digest/glance.html", context)


def _file(request: HttpRequest, documents: QuerySet[Document], form: str, name: str) -> HttpResponse:
    if form not in FORMS:
        raise Http404
    try:
        seen = glance(documents, asker=signed_in(request).pk)
    except Busy as busy:
        return too_busy(str(BUSY), busy)
    return as_file(seen, form, name, request.build_absolute_uri("/")[:-1])


def _groups(kind: Kind, seen: Glance) -> list[tuple[str, list[Found]]]:
    """What is shown of a kind, under headings where it has several."""
    if kind == Kind.DATE:
        return seen.dates(timezone.localdate())
    if kind == Kind.PARTY:  # several documents have the same ones: where most is said, such as the address
        fullest: dict[str, Found] = {}
        for found in seen.points[kind]:
            name = name_of(found.placed.point)
            fullest[name] = max(fullest.get(name, found), found, key=lambda each: len(each.placed.statement))
        return [("", list(fullest.values()))]
    if kind == Kind.DUTY:
        return [(gettext(party) if party in UNNAMED else party, found) for party, found in seen.duties]
    return [("", seen.points[kind])]
