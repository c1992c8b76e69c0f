"""Searching arXiv, choosing papers, and the queue of what is being fetched."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.quotas import with_retry_after
from datasources.access import require
from datasources.models import Datasource, Role
from datasources.numbers import limited, number_in
from datasources.services import create_datasource
from datasources.web.pages import HtmxRequest, posted_from, signed_in
from desks.research import queue, searching
from desks.research.arxiv_api.bibliography import Listed, read_bib
from desks.research.arxiv_api.identifiers import ArxivId, arxiv_id, only_ids
from desks.research.arxiv_api.query import FARTHEST, PAGE, SORTS, PaperQuery
from desks.research.models import UNFINISHED_ITEMS, ItemStatus, PaperImport, PaperSearch, SearchStatus
from desks.research.papers import here
from desks.research.services import cancel, go_on, pause, start_import

IMPORTS_SHOWN = 4
ORDERS = (
    ("relevance", gettext_noop("Relevance")),
    ("newest", gettext_noop("Newest first")),
    ("oldest", gettext_noop("Oldest first")),
    ("updated", gettext_noop("Changed last")),
)
assert {key for key, _label in ORDERS} == set(SORTS)


def editable(person: User) -> list[Datasource]:
    """Where the person may put papers."""
    return [each for each in Datasource.objects.listed_for(person) if each.has_role(person, Role.EDITOR)]


def target(person: User, text: str | None) -> Datasource | None:
    """The datasource of that number. Raises Http404 (stranger), PermissionDenied (low role), Archived."""
    number = number_in(text)
    if number is None:
        return None
    datasource = get_object_or_404(Datasource.objects.visible_to(person), pk=number)
    require(datasource, person, Role.EDITOR)
    return datasource


@login_required
@require_safe
def import_page(request: HtmxRequest) -> HttpResponse:
    """?words= and the other fields search; ?into= is the datasource that gets the papers."""
    person = signed_in(request)
    into = target(person, request.GET.get("into"))
    context = _searched(person, into, request.GET.dict())
    if request.GET.get("again") and context["search"]:
        return redirect(_page(into, context["this"]))  # a reload asks for the same search
    if request.htmx and request.htmx.target == "results":
        return render(request, "research/_results.html", context)
    return _whole_page(request, person, context, status=422 if context["refusal"] else 200)


def _whole_page(
    request: HtmxRequest, person: User, context: dict[str, Any], *, status: int = 200, **more: Any
) -> HttpResponse:
    """`context`: as _searched gives it."""
    context |= queue_context(person, context["into"]) | {"targets": editable(person), "tab": "papers"}
    return render(request, "research/import.html", context | more, status=status)


def _searched(person: User, into: Datasource | None, given: Mapping[str, str]) -> dict[str, Any]:
    """`given`: the fields of a search, as an address has them."""
    values = {**given, "start": limited(given.get("start"), 0, FARTHEST, 0)}
    query, refusal, row = PaperQuery(), "", None
    try:
        query = PaperQuery.of(values)
        if not query.is_empty and settings.ARXIV:
            row = searching.find(person, query, again=given.get("again") == "1")
    except ValidationError as error:
        refusal = error.messages[0]
    context: dict[str, Any] = {
        "into": into,
        "orders": ORDERS,
        "allowed": settings.ARXIV,
        "asked": query,
        "given": given,
        "refusal": refusal,
        "search": row,
        "this": query.address(),
    }
    if row is not None and row.status == SearchStatus.DONE:
        context |= results_context(row, into)
    elif row is not None:
        context["wait"] = round(queue.seconds_left())
    return context


def results_context(row: PaperSearch, into: Datasource | None) -> dict[str, Any]:
    """One page of results; what the datasource has already is said."""
    papers = row.papers
    known = here(into, [paper.number for paper in papers]) if into else {}
    start, query = row.asked.start, row.asked
    following = start + PAGE < min(row.total, FARTHEST) and bool(papers or row.unreadable)
    return {
        "rows": [(paper, known.get(paper.number)) for paper in papers],
        "here": len(known),
        "first": start + 1,
        "last": start + len(papers),
        "before": query.address(start=max(0, start - PAGE)) if start else "",
        "after": query.address(start=start + PAGE) if following else "",
    }


def queue_context(person: User, into: Datasource | None) -> dict[str, Any]:
    """The newest imports with their papers, and how long arXiv makes SVQ wait."""
    rows = PaperImport.objects.visible_to(person).select_related("datasource")
    rows = rows.filter(datasource=into) if into else rows.filter(asked_by=person)
    shown = list(rows[:IMPORTS_SHOWN])
    imports = [import_context(row, person) for row in shown]
    return {
        "imports": imports,
        "into": into,
        "live": any(row.is_unfinished for row in shown) or any(each["indexing"] for each in imports),
        "wait": round(queue.seconds_left()),
    }


def import_context(row: PaperImport, person: User) -> dict[str, Any]:
    items = list(row.imported_papers.select_related("document").order_by("position"))
    return {
        "row": row,
        "items": items,
        "done": sum(item.status not in UNFINISHED_ITEMS for item in items),
        "left": sum(item.status in (*UNFINISHED_ITEMS, ItemStatus.FAILED) for item in items),
        "indexing": any(item.document and item.document.is_unfinished for item in items),
        "can_edit": row.datasource.has_role(person, Role.EDITOR),
    }


@login_required
@require_safe
def import_queue(request: HtmxRequest) -> HttpResponse:
    """The part of the page that follows imports; the page itself without JavaScript."""
    person = signed_in(request)
    into = target(person, request.GET.get("into"))
    if not request.htmx:
        return redirect(_page(into))
    return render(request, "research/_queue.html", queue_context(person, into))


def _page(into: Datasource | None, query: str = "") -> str:
    parts = [part for part in (f"into={into.pk}" if into else "", query) if part]
    return f"{reverse('import_papers')}{'?' if parts else ''}{'&'.join(parts)}"


@login_required
@posted_from(lambda: reverse("import_papers"))
def start(request: HtmxRequest) -> HttpResponse:
    """Fetch the chosen papers, those pasted, and those of a .bib file, into a datasource, new or old.

    What is refused is shown as it was filled in, but for the file, which browsers do not put back.
    """
    person = signed_in(request)
    back = _safe(request.POST.get("this", "")[:2000])
    try:
        papers = _chosen(request)
        with transaction.atomic():  # no datasource is made for papers that are refused
            into = target(person, request.POST.get("into")) or create_datasource(
                person, request.POST.get("name", "")
            )
            row = start_import(into, person, papers)
    except ValidationError as refusal:
        context = _searched(person, target(person, request.POST.get("into")), dict(parse_qsl(back)))
        told = {
            "not_imported": refusal.messages[0],
            "filled_in": request.POST,
            "file": "bib" in request.FILES,
        }
        ticked = set(request.POST.getlist("paper"))
        page = _whole_page(request, person, context, status=422, ticked=ticked, **told)
        return with_retry_after(page, refusal)
    count = row.imported_papers.exclude(status=ItemStatus.LISTED).count()
    started = ngettext("{n} paper on the way into “{into}”.", "{n} papers on the way into “{into}”.", count)
    messages.success(request, started.format(n=count, into=into))
    return redirect(_page(into, back))


def _safe(query: str) -> str:
    """The query of a search again, whatever was posted."""
    try:
        return PaperQuery.of(dict(parse_qsl(query))).address()
    except (ValidationError, ValueError):
        return ""


def _chosen(request: HtmxRequest) -> list[Listed | ArxivId]:
    """Raises ValidationError."""
    chosen: list[Listed | ArxivId] = []
    ticked = request.POST.getlist("shown" if request.POST.get("all") else "paper")
    chosen += [found for text in ticked if (found := arxiv_id(text))]
    if pasted := request.POST.get("pasted", "").strip():
        ids = only_ids(pasted)
        if not ids:
            raise ValidationError(_("Paste arXiv IDs such as 1706.03762, or links to papers."))
        chosen += ids
    if file := request.FILES.get("bib"):
        chosen += read_bib(file.read())
    if not chosen:
        raise ValidationError(_("No paper was chosen. Tick some, paste IDs, or choose a .bib file."))
    return chosen


@login_required
@posted_from(lambda pk: reverse("import_papers"))
def change(request: HtmxRequest, pk: int) -> HttpResponse:
    """`action`: pause, go_on, cancel; or the number of an item whose version before is to be fetched."""
    person = signed_in(request)
    row = get_object_or_404(PaperImport.objects.visible_to(person).select_related("datasource"), pk=pk)
    require(row.datasource, person, Role.EDITOR)
    try:
        match request.POST.get("action"):
            case "pause":
                pause(row)
            case "go_on":
                go_on(row)
            case "cancel":
                cancel(row)
        _try_before(row, person, number_in(request.POST.get("before")))
    except ValidationError as refusal:
        messages.error(request, _(refusal.messages[0]))
    if request.htmx:
        return render(request, "research/_queue.html", queue_context(person, row.datasource))
    return redirect(_page(row.datasource))


def _try_before(row: PaperImport, person: User, item_number: int | None) -> None:
    """Fetch the version before of a paper that could not be had."""
    item = row.imported_papers.filter(pk=item_number).first() if item_number else None
    if item is not None and item.try_instead:
        start_import(row.datasource, person, [ArxivId(number=item.number, version=item.try_instead)])
