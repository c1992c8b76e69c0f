"""The chunk page: how documents were split, the quality of each chunk, and chunks left out of searches."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.models import User
from datasources.models import Datasource, Document, Role
from datasources.numbers import number_in, numbers_in
from datasources.web.pages import (
    bar,
    datasource_for,
    find_document,
    page_of_datasource,
    posted_from,
    signed_in,
)
from ingestion.lifecycle.leaving_out import set_left_out, set_several_left_out
from ingestion.lifecycle.rechunking import rechunkable
from ingestion.models import Chunk
from reader.chunk_details import of_chunk, of_document
from reader.citation_count import citation_count
from reader.web.chunk_table import SORTS, Filters, filtered, listed_page

LISTED = 200  # documents offered to choose from
CHANGED = "passages_changed"  # in the session: what the last answer to a form did, to be taken back at once
ALL = "all"


@login_required
@require_safe
def chunks(request: HttpRequest, pk: int) -> HttpResponse:
    """?document= (a number, or all), ?chunk= (opened), and the filters."""
    datasource, person = datasource_for(request, pk), signed_in(request)
    opened = find_chunk(datasource, person, request.GET.get("chunk"))
    document = document_shown(request, datasource, opened)
    filters = Filters(request.GET)
    chosen = filters.chosen()
    rows = filtered(datasource, document, person, chosen)
    listed = listed_page(rows, request.GET.get("list"), opened, chosen)
    context = bar(datasource, "chunks") | {
        "document": document,
        "documents": datasource.documents.current().filter(chunk_count__gt=0).order_by("title")[:LISTED],
        "all": ALL,
        "filters": filters,
        "sorts": SORTS,
        "sort": chosen["sort"] or "order",
        "listed": listed,
        "opened": opened,
        "may_edit": (may_edit := datasource.has_role(person, Role.EDITOR)),
        "changed": taken(request, datasource) if may_edit else None,
        "may_rechunk": datasource.has_role(person, Role.OWNER) and may_be_rechunked(datasource, document),
    }
    if document:
        context |= of_document(
            document, opened, opened or next(iter(listed), None), chosen["page"], asker=person.pk
        )
    if opened:
        context |= of_chunk(opened)
    return render(request, "reader/chunks.html", context)


def document_shown(request: HttpRequest, datasource: Datasource, opened: Chunk | None) -> Document | None:
    """The one asked for, else the opened chunk's, else the newest with chunks; None means all."""
    asked = request.GET.get("document", "")
    if asked == ALL:
        return None
    if (number := number_in(asked)) is not None:
        return find_document(request, datasource.pk, number)
    if opened:
        return opened.document
    return datasource.documents.current().filter(chunk_count__gt=0).first()


def may_be_rechunked(datasource: Datasource, document: Document | None) -> bool:
    """Whether the document, or some document, can be re-chunked now."""
    able = rechunkable(datasource)
    return (able.filter(pk=document.pk) if document else able).exists()


def find_chunk(datasource: Datasource, person: User, number: str | None) -> Chunk | None:
    """The opened chunk, with how often it is `cited`. Raises Http404 for one not in this datasource."""
    if not number:
        return None
    if number_in(number) is None:
        raise Http404
    chunks = Chunk.objects.select_related("document").annotate(cited=citation_count(person))
    visible = chunks.filter(document__in=Document.objects.visible_to(person))
    return get_object_or_404(visible, pk=number, datasource=datasource)


@login_required
@posted_from(page_of_datasource("chunks"))
def leave_out(request: HttpRequest, pk: int, chunk: int) -> HttpResponse:
    """Leave a chunk out of every search, or include it again. For editors."""
    datasource, person = datasource_for(request, pk, Role.EDITOR), signed_in(request)
    opened = find_chunk(datasource, person, str(chunk))
    assert opened is not None
    set_left_out(opened, request.POST.get("left_out") == "true")
    return redirect(f"{reverse('chunks', args=[pk])}?chunk={opened.pk}#opened")


@login_required
@posted_from(page_of_datasource("chunks"))
def leave_out_several(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave the ticked chunks out of every search, or put them back; `back` is the query of the list."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    left_out = request.POST.get("left_out") == "true"
    changed = set_several_left_out(datasource, numbers_in(request.POST.getlist("chunk")), left_out)
    request.session[CHANGED] = {"datasource": pk, "numbers": changed, "left_out": left_out}
    back = QueryDict(request.POST.get("back", "")[:2000]).urlencode()
    return redirect(f"{reverse('chunks', args=[pk])}?{back}")


def taken(request: HttpRequest, datasource: Datasource) -> dict[str, Any] | None:
    """What was changed by the form just now, told once."""
    changed = request.session.get(CHANGED)
    if not changed or changed["datasource"] != datasource.pk:
        return None
    del request.session[CHANGED]
    return dict(changed)
