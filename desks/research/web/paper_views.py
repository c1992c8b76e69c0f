"""The papers of a datasource: listed, narrowed, updated, exported; the bibliography of an answer."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from chat.web.lookup import find_turn
from datasources.models import DocumentStatus, Role
from datasources.numbers import limited, numbers_in
from datasources.web.pages import (
    HtmxRequest,
    bar,
    can_edit,
    datasource_for,
    page_of_datasource,
    posted_from,
    signed_in,
)
from desks.research.arxiv_api.bibliography import Cited
from desks.research.arxiv_api.identifiers import ArxivId
from desks.research.citing import FORMS, bibliography, cited_by, of_paper
from desks.research.models import Paper
from desks.research.papers import short_name
from desks.research.references import links
from desks.research.services import start_import

PAGE = 25
LINKED_AT_MOST = 500  # papers between which references are looked for


@login_required
@require_safe
def papers(request: HtmxRequest, pk: int) -> HttpResponse:
    """?q=, ?author=, ?year= and ?category= narrow the list."""
    datasource = datasource_for(request, pk)
    every = Paper.objects.of(datasource).select_related("document")
    narrowed = every.narrowed(request.GET)
    page = Paginator(narrowed, PAGE).get_page(limited(request.GET.get("page"), 1, 10_000, 1))
    cites, cited = _links(list(every[:LINKED_AT_MOST]))
    context: dict[str, Any] = bar(datasource, "papers") | {
        "can_edit": can_edit(request, datasource),
        "page": page,
        "rows": [
            (paper, short_name(paper), cites.get(paper.pk, []), cited.get(paper.pk, [])) for paper in page
        ],
        "total": every.count(),
        "matching": narrowed.count(),
        "given": request.GET,
        "kept": _kept(request.GET),
        "years": sorted({day.year for day in every.values_list("published", flat=True)}, reverse=True),
        "categories": sorted(
            {name for names in every.values_list("categories", flat=True) for name in names}
        ),
        "updates": [paper for paper in every if paper.has_update],
    }
    return render(request, "research/papers.html", context)


def _kept(values: QueryDict) -> str:
    """The query of the address, without the page."""
    kept = values.copy()
    kept.pop("page", None)
    return kept.urlencode()


def _links(rows: Sequence[Paper]) -> tuple[dict[int, list[Any]], dict[int, list[Any]]]:
    """By paper: the links to what it cites, and from what cites it."""
    cites: dict[int, list[Any]] = {}
    cited: dict[int, list[Any]] = {}
    for link in links(rows):
        cites.setdefault(link.citing.pk, []).append(link)
        cited.setdefault(link.cited.pk, []).append(link)
    return cites, cited


@login_required
@posted_from(page_of_datasource("papers"))
def update(request: HtmxRequest, pk: int) -> HttpResponse:
    """Fetch the newest version of the chosen papers (`document`), which takes the place of theirs."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    chosen = Paper.objects.of(datasource).filter(pk__in=numbers_in(request.POST.getlist("document")))
    ids = [ArxivId(number=paper.number) for paper in chosen if paper.has_update]
    try:
        start_import(datasource, signed_in(request), ids)
        messages.success(request, _("The newer versions are on the way."))
    except ValidationError as refusal:
        messages.error(request, _(refusal.messages[0]))
    return redirect("papers", pk)


@login_required
@require_safe
def export(request: HtmxRequest, pk: int, form: str) -> HttpResponse:
    """All papers, those narrowed as on the page, or those of ?documents=1,2, as bib or ris."""
    datasource = datasource_for(request, pk)
    rows = Paper.objects.of(datasource).narrowed(request.GET)
    if chosen := request.GET.get("documents"):
        kept = datasource.documents.exclude(status=DocumentStatus.DELETED)
        rows = Paper.objects.filter(document__in=kept, pk__in=numbers_in(chosen.split(",")))
    return _file([of_paper(paper) for paper in rows], form, datasource.name)


@login_required
@require_safe
def export_cited(request: HtmxRequest, turn: UUID, form: str) -> HttpResponse:
    """What the answer cites, as bib or ris."""
    row = find_turn(request, turn, Role.VIEWER)
    return _file(cited_by(row), form, str(row))


def _file(cited: Sequence[Cited], form: str, name: str) -> HttpResponse:
    if form not in FORMS:
        raise Http404
    return bibliography(cited, form, name)
