"""What documents say of parties, dates, time limits, sums, duties and terms, with every sentence."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from datasources.models import Datasource, Document
from datasources.numbers import numbers_in
from datasources.pages import bar, datasource_for, find_document
from digest.exports import FORMS, as_file
from digest.gathering import MOST_PAGES, Found, Glance, glance
from digest.points import Kind

SHOWN = 25  # of each kind at once; the others are unfolded


@login_required
@require_safe
def of_document(request: HttpRequest, pk: int, doc: int) -> HttpResponse:
    document = find_document(request, pk, doc)
    context = _context(document.datasource, glance([document])) | {
        "document": document,
        "files": [
            (reverse("document_glance_file", args=[pk, doc, form]), each.name) for form, each in FORMS.items()
        ],
    }
    return render(request, "digest/glance.html", context)


@login_required
@require_safe
def file_of_document(request: HttpRequest, pk: int, doc: int, form: str) -> HttpResponse:
    document = find_document(request, pk, doc)
    return _file(request, [document], form, document.title)


@login_required
@require_safe
def of_datasource(request: HttpRequest, pk: int) -> HttpResponse:
    """All documents, or those of ?documents=."""
    datasource = datasource_for(request, pk)
    chosen = numbers_in(request.GET.getlist("documents"))
    query = f"?{request.GET.urlencode()}" if chosen else ""
    context = _context(datasource, glance(_documents(datasource, chosen))) | {
        "chosen": chosen,
        "files": [
            (reverse("glance_file", args=[pk, form]) + query, each.name) for form, each in FORMS.items()
        ],
    }
    return render(request, "digest/glance.html", context)


@login_required
@require_safe
def file_of_datasource(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    datasource = datasource_for(request, pk)
    chosen = numbers_in(request.GET.getlist("documents"))
    return _file(request, _documents(datasource, chosen), form, datasource.name)


def _file(request: HttpRequest, documents: Any, form: str, name: str) -> HttpResponse:
    if form not in FORMS:
        raise Http404
    return as_file(glance(documents), form, name, request.build_absolute_uri("/")[:-1])


def _documents(datasource: Datasource, chosen: list[int]) -> list[Document]:
    """Those that can be searched, by title."""
    documents = datasource.documents.current().ready()
    return list((documents.filter(pk__in=chosen) if chosen else documents).order_by("title", "pk"))


def _groups(kind: Kind, seen: Glance) -> list[tuple[str, list[Found]]]:
    """What is shown of a kind, under headings where it has several."""
    if kind == Kind.DATE:
        return seen.dates(timezone.localdate())
    return seen.duties if kind == Kind.DUTY else [("", seen.points[kind])]


def _context(datasource: Datasource, seen: Glance) -> dict[str, Any]:
    return bar(datasource, "documents") | {
        "glance": seen,
        "sections": [(kind, _groups(kind, seen)) for kind in Kind if seen.points[kind]],
        "shown": f":{SHOWN}",
        "more": f"{SHOWN}:",
        "most_pages": MOST_PAGES,
    }
