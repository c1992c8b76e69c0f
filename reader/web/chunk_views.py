"""The chunk page: how documents were cut, what each piece is worth, and which pieces no search may give."""

from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page as Listed
from django.core.paginator import Paginator
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.module_loading import import_string
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from datasources.models import Datasource, Document, Role
from datasources.pages import bar, datasource_for, signed_in
from graph.models import Entity
from ingestion import chunk_quality
from ingestion.lifecycle.rechunking import rechunkable
from ingestion.models import Chunk, ChunkKind
from ingestion.services import set_left_out
from reader import document_pages as reading
from reader import query_test, ribbon
from retrieval.evidence import Scope

PER_PAGE = 50
LISTED = 200  # documents offered to choose from
ENTITIES = 10
QUERY = 400  # characters of a tested query
ALL = "all"
SORTS = (("order", "In order"), ("quality", "Lowest quality"), ("cited", "Most cited"))


class Filters(forms.Form):
    """The table's choices, from the address; what is not understood counts as not chosen."""

    kind = forms.ChoiceField(choices=[("", "All types"), *ChunkKind.choices], required=False)
    quality = forms.ChoiceField(
        choices=[("", "Any quality"), ("0.5", "0.5 or more"), ("0.7", "0.7 or more"), ("0.9", "0.9 or more")],
        required=False,
    )
    state = forms.ChoiceField(
        choices=[("", "Searched or not"), ("in", "Searched"), ("out", "Left out")], required=False
    )
    sort = forms.ChoiceField(choices=SORTS, required=False)
    page = forms.IntegerField(min_value=1, required=False)

    def chosen(self) -> dict[str, Any]:
        self.is_valid()
        return {name: self.cleaned_data.get(name) for name in self.fields}


@login_required
@require_safe
def chunks(request: HttpRequest, pk: int) -> HttpResponse:
    """?document= (a number, or all), ?chunk= (opened), ?try= (a query to test), and the filters."""
    datasource, person = datasource_for(request, pk), signed_in(request)
    opened = find_chunk(datasource, person, request.GET.get("chunk"))
    document = find_document(datasource, person, request.GET.get("document"), opened)
    filters = Filters(request.GET)
    rows = filtered(datasource, document, person, filters.chosen())
    tried = tried_query(datasource, document, person, request.GET.get("try", ""))
    if tried:
        listed = Paginator([one.chunk for one in tried.found], PER_PAGE).get_page(1)
    else:
        listed = listed_page(rows, request.GET.get("list"), opened, filters.chosen())
    context = bar(datasource, "chunks") | {
        "document": document,
        "documents": datasource.documents.current().filter(chunk_count__gt=0).order_by("title")[:LISTED],
        "all": ALL,
        "filters": filters,
        "sorts": SORTS,
        "sort": filters.chosen()["sort"] or "order",
        "listed": listed,
        "tried": tried,
        "opened": opened,
        "may_edit": datasource.allows(person, Role.EDITOR),
        "may_rechunk": datasource.allows(person, Role.OWNER) and may_be_cut(datasource, document),
    }
    if document:
        context |= of_document(document, opened, listed, filters.chosen()["page"])
    if opened:
        context |= of_chunk(opened) | {"cited": cited_by(person).filter(chunk_id_hint=opened.pk).count()}
    return render(request, "reader/chunks.html", context)


def tried_query(
    datasource: Datasource, document: Document | None, person: User, words: str
) -> query_test.Tried | None:
    """What the searches give for the words, in the document or in all; None without words."""
    query = " ".join(words.split())[:QUERY]
    if not query:
        return None
    only = frozenset([document.pk]) if document else None
    return query_test.find(Scope(user_id=person.pk, datasource_id=datasource.pk, document_ids=only), query)


def may_be_cut(datasource: Datasource, document: Document | None) -> bool:
    """Whether the document, or some document, can be cut anew now."""
    able = rechunkable(datasource)
    return (able.filter(pk=document.pk) if document else able).exists()


def find_chunk(datasource: Datasource, person: User, number: str | None) -> Chunk | None:
    """The chunk that is opened. Raises Http404 when it is not in this datasource."""
    if not number:
        return None
    if not number.isdecimal() or len(number) > 18:
        raise Http404
    visible = Document.objects.visible_to(person)
    found = Chunk.objects.select_related("document").filter(document__in=visible)
    return get_object_or_404(found, pk=number, datasource=datasource)


def find_document(
    datasource: Datasource, person: User, number: str | None, opened: Chunk | None
) -> Document | None:
    """The one asked for, else the opened chunk's, else the newest with chunks; None means all."""
    if number == ALL:
        return None
    documents = Document.objects.visible_to(person).filter(datasource=datasource)
    if number and number.isdecimal() and len(number) < 19:
        return get_object_or_404(documents, pk=number)
    if opened:
        return opened.document
    return documents.current().filter(chunk_count__gt=0).first()


def filtered(
    datasource: Datasource, document: Document | None, person: User, chosen: dict[str, Any]
) -> QuerySet[Chunk]:
    """The table's rows, sorted."""
    rows = Chunk.objects.select_related("document")
    if document:
        rows = rows.filter(document=document)
    else:
        rows = rows.filter(datasource=datasource, document__in=datasource.documents.current())
    if chosen["kind"]:
        rows = rows.filter(kind=chosen["kind"])
    if chosen["quality"]:
        rows = rows.filter(quality__gte=float(chosen["quality"]))
    if chosen["state"]:
        rows = rows.filter(left_out=chosen["state"] == "out")
    if chosen["page"] and document:
        rows = rows.filter(first_page__lte=chosen["page"], last_page__gte=chosen["page"])
    in_order = ("document__title", "document_id", "index")
    if chosen["sort"] == "quality":
        return rows.order_by("quality", *in_order)
    if chosen["sort"] == "cited":
        mine = cited_by(person).filter(chunk_id_hint=OuterRef("pk"))
        count = mine.order_by().values("chunk_id_hint").annotate(count=Count("pk")).values("count")
        return rows.annotate(cited=Coalesce(Subquery(count), 0)).order_by("-cited", *in_order)
    return rows.order_by(*in_order)


def cited_by(person: User) -> QuerySet[Any]:
    """The citations in the answers that the person was given."""
    citations: QuerySet[Any] = import_string(settings.CITATIONS_GIVEN_TO)(person)
    return citations


def listed_page(
    rows: QuerySet[Chunk], number: str | None, opened: Chunk | None, chosen: dict[str, Any]
) -> Listed[Chunk]:
    """The part of the table that is shown: the one asked for, else the one with the opened chunk."""
    pages = Paginator(rows, PER_PAGE)
    if number is None and opened and chosen["sort"] in ("", "order"):
        before = rows.filter(document=opened.document_id, index__lt=opened.index).count()
        return pages.get_page(before // PER_PAGE + 1)
    return pages.get_page(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Of one document's chunks. overlap: share of its characters that stand in two chunks."""

    count: int
    tokens: float
    overlap: float
    quality: float
    poor: int


def of_document(
    document: Document, opened: Chunk | None, listed: Listed[Chunk], asked: int | None
) -> dict[str, Any]:
    """The ribbon, the facts, and the page that is shown with its chunks as blocks."""
    pages = list(document.pages.defer("boxes").order_by("number"))
    every = list(document.chunks.defer("text").order_by("index"))
    first = opened or next(iter(listed), None)
    number = asked or (first.first_page if first else 1)
    page = document.pages.filter(number=number).first()
    here = [one for one in every if page and one.first_page <= page.number <= one.last_page]
    at = next((one.index for one in every if opened and one.pk == opened.pk), -1)
    return {
        "ribbon": ribbon.draw(every, pages, opened),
        "facts": facts(every),
        "page": page,
        "page_count": len(pages),
        "drawn": page is not None and page.width > 0 and reading.can_draw(document, page.number),
        "placed": [(one, reading.blocks(page, one)) for one in here] if page else [],
        "before": every[at - 1] if at > 0 else None,
        "after": every[at + 1] if -1 < at + 1 < len(every) else None,
    }


def facts(every: list[Chunk]) -> Facts | None:
    if not every:
        return None
    shared = sum(max(0, a.end - b.start) for a, b in pairwise(every))
    return Facts(
        count=len(every),
        tokens=median(one.token_count for one in every),
        overlap=100 * shared / max(1, every[-1].end),
        quality=median(one.quality for one in every),
        poor=sum(one.quality < ribbon.POOR for one in every),
    )


def of_chunk(chunk: Chunk) -> dict[str, Any]:
    """The opened chunk: its text with what its neighbours share, its entities, its quality in parts."""
    near = chunk.document.chunks.filter(index__in=(chunk.index - 1, chunk.index + 1)).only(
        "index", "start", "end"
    )
    shared_before = shared_after = 0
    for one in near.only("index", "start", "end"):
        if one.index < chunk.index:
            shared_before = max(0, one.end - chunk.start)
        else:
            shared_after = max(0, chunk.end - one.start)
    middle = max(shared_before, len(chunk.text) - shared_after)
    return {
        "shared_before": chunk.text[:shared_before],
        "own": chunk.text[shared_before:middle],
        "shared_after": chunk.text[middle:],
        "entities": entities(chunk),
        "worth": worth(chunk.text),
    }


def entities(chunk: Chunk) -> QuerySet[Entity]:
    """The things that the graph found in the chunk, the best known first."""
    ids = chunk.entitymentions.filter(live=True).values("named__entity")
    return Entity.objects.filter(pk__in=ids, hidden=False).order_by("-mention_count", "name")[:ENTITIES]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One term of the quality: weight * value, and what the value measures."""

    weight: float
    name: str
    value: float
    meaning: str


def worth(text: str) -> list[Part]:
    return [
        Part(
            weight=chunk_quality.RICHNESS_WEIGHT,
            name="richness",
            value=chunk_quality.vocabulary_richness(text),
            meaning="how many different words it uses",
        ),
        Part(
            weight=chunk_quality.DENSITY_WEIGHT,
            name="density",
            value=chunk_quality.information_density(text),
            meaning="how much of it is words and figures that carry meaning",
        ),
        Part(
            weight=chunk_quality.COMPLETENESS_WEIGHT,
            name="completeness",
            value=chunk_quality.completeness(text),
            meaning="whether it begins and ends as whole sentences do",
        ),
    ]


@login_required
@require_POST
def leave_out(request: HttpRequest, pk: int, chunk: int) -> HttpResponse:
    """Keep a chunk out of every search, or take it back in. For editors."""
    datasource, person = datasource_for(request, pk, Role.EDITOR), signed_in(request)
    found = find_chunk(datasource, person, str(chunk))
    assert found is not None
    set_left_out(found, request.POST.get("left_out") == "true")
    return redirect(f"{reverse('chunks', args=[pk])}?chunk={found.pk}#opened")
