"""Pages of tables: the list, a new one, the table with the source of a cell beside it, its changes, files."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.quotas import with_retry_after
from datasources.models import Document, Role
from datasources.numbers import number_in
from datasources.web.limits import budget_from
from datasources.web.pages import HtmxRequest, bar, can_edit, datasource_for, posted_from, signed_in
from desks.tables import services
from desks.tables.exports.files import FORMS, file_of
from desks.tables.grid import Grid
from desks.tables.models import ReviewTable, Row
from desks.tables.web.listing import listed_tables
from desks.tables.web.presets import PRESETS, suggested
from desks.tables.web.proof import Proof


def table_of(request: HtmxRequest, pk: int, table: int, needed: Role = Role.VIEWER) -> ReviewTable:
    """Raises Http404 (stranger, no such table), PermissionDenied (low role)."""
    datasource = datasource_for(request, pk, needed)
    return get_object_or_404(
        ReviewTable.objects.select_related("datasource"), datasource=datasource, pk=table
    )


@login_required
@require_safe
def tables(request: HtmxRequest, pk: int) -> HttpResponse:
    datasource = datasource_for(request, pk)
    context = bar(datasource, "tables") | {
        "listed": listed_tables(datasource),
        "can_edit": can_edit(request, datasource),
    }
    return render(request, "tables/list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HtmxRequest, pk: int) -> HttpResponse:
    """Name, columns, documents; ?preset= names the columns to begin with."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    ready = datasource.documents.ready().order_by("title", "pk")
    refusal = None
    posted = request.method == "POST"
    begun = request.POST.get("preset")  # chosen without JavaScript: what was typed stays
    if posted and not begun:
        try:
            columns = services.columns_from(request.POST.get("columns", ""))
            table = services.create_table(
                signed_in(request), datasource, request.POST.get("name", ""), columns, _chosen(request)
            )
            return redirect("table", pk, table.pk)
        except ValidationError as error:
            refusal = error
    presets = [(key, label, _(columns)) for key, label, columns in PRESETS]
    named = begun or request.GET.get("preset") or suggested(ready)
    preset = next((each for each in presets if each[0] == named), presets[0])
    context = bar(datasource, "tables") | {
        "documents": ready[: services.MAX_ROWS],
        "more": max(0, ready.count() - services.MAX_ROWS),
        "chosen": set(_chosen(request)) if posted else {each.pk for each in ready[: services.MAX_ROWS]},
        "name": request.POST.get("name", ""),
        "columns": _columns(request.POST.get("columns", ""), preset[2] if begun else "")
        if posted
        else preset[2],
        "preset": preset[0],
        "presets": presets,
        "refusal": refusal,
    }
    response = render(request, "tables/new.html", context, status=422 if refusal else 200)
    return with_retry_after(response, refusal) if refusal else response


def _columns(typed: str, begin_with: str) -> str:
    """What was typed, and behind it the lines to begin with, in place of those of another beginning."""
    if not begin_with:
        return typed
    offered = {line for each in PRESETS for line in _(each[2]).splitlines()}
    own = [line for line in typed.splitlines() if line.strip() and line.strip() not in offered]
    return "\n".join([*own, begin_with])


def _chosen(request: HtmxRequest) -> list[int]:
    return [number for value in request.POST.getlist("document") if (number := number_in(value))]


def _context(request: HtmxRequest, table: ReviewTable) -> dict[str, Any]:
    grid = Grid(table, request.GET)
    may_edit = can_edit(request, table.datasource)
    opened = grid.opened(number_in(request.GET.get("cell")))
    documents = table.datasource.documents.ready().count()
    return {
        "table": table,
        "grid": grid,
        "opened": opened,
        "can_edit": may_edit,
        "documents": documents,
        "more": max(0, documents - len(grid.rows)),
        "estimate": services.estimate(table)
        if may_edit and grid.counts["open"] + grid.counts["failed"]
        else None,
        "forms": FORMS,
    }


@login_required
@require_safe
def table_page(request: HtmxRequest, pk: int, table: int) -> HttpResponse:
    """The table; ?cell= opens the source of a cell beside it."""
    row = table_of(request, pk, table)
    context = bar(row.datasource, "tables") | _context(request, row)
    if opened := context["opened"]:
        context["proof"] = Proof(opened, asker=signed_in(request).pk)
    template = "tables/_proof.html" if request.htmx and request.GET.get("cell") else "tables/table.html"
    return render(request, template, context)


@login_required
@require_safe
def state(request: HtmxRequest, pk: int, table: int) -> HttpResponse:
    """The part of the page that changes while the table is filled."""
    row = table_of(request, pk, table)
    if not request.htmx:
        return redirect("table", pk, table)
    return render(request, "tables/_grid.html", bar(row.datasource, "tables") | _context(request, row))


def _page(pk: int, table: int) -> str:
    return reverse("table", args=[pk, table])


@login_required
@posted_from(_page)
def change(request: HtmxRequest, pk: int, table: int) -> HttpResponse:
    """`action` says what; each is also a function of desks.tables.services."""
    row = table_of(request, pk, table, Role.EDITOR)
    number = number_in(request.POST.get("number")) or 0
    try:
        match request.POST.get("action"):
            case "fill" | "again" as action:
                budget = budget_from(request.POST, row, row.datasource)
                if not services.fill(signed_in(request), row, again=action == "again", budget=budget):
                    messages.success(request, _("Every cell is filled already."))
            case "stop":
                services.stop(row)
            case "rename":
                services.rename(row, request.POST.get("name", ""))
            case "add_columns":
                services.add_columns(row, services.columns_from(request.POST.get("columns", "")))
            case "remove_column":
                services.remove_column(row, number)
            case "remove_row":
                services.remove_row(row, number)
            case "bring_back_column":
                services.bring_back_column(row, number)
            case "bring_back_row":
                services.bring_back_row(row, number)
            case "use_newer":
                services.use_newer(get_object_or_404(Row, table=row, pk=number))
            case "read_again":
                if not services.read_again(signed_in(request), row, number):
                    told = _("The cell is empty now, and is read when you fill the rest.")
                    messages.success(request, told)
            case "delete":
                services.delete(row)
                gone = _("The table “{table}” is deleted. Its documents are still here.")
                messages.success(request, gone.format(table=row))
                return redirect("tables", pk)
    except ValidationError as refusal:
        messages.error(request, _(refusal.messages[0]))
    return redirect(_page(pk, table))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def more_documents(request: HtmxRequest, pk: int, table: int) -> HttpResponse:
    """Choose from the documents that are not in the table yet."""
    row = table_of(request, pk, table, Role.EDITOR)
    refusal = None
    if request.method == "POST":
        try:
            if not (chosen := _chosen(request)):
                raise ValidationError(_("Choose at least one document."), code="no_documents")
            services.add_documents(row, chosen)
            return redirect("table", pk, table)
        except ValidationError as error:
            refusal = error
    others: Any = Document.objects.filter(datasource=pk).ready()
    here = row.listed_rows.filter(removed=None)
    others = others.exclude(pk__in=here.values("document")).order_by("title", "pk")
    context = bar(row.datasource, "tables") | {
        "table": row,
        "documents": others[: services.MAX_ROWS],
        "more": max(0, others.count() - services.MAX_ROWS),
        "chosen": set(),
        "refusal": refusal,
    }
    return render(request, "tables/documents.html", context, status=422 if refusal else 200)


@login_required
@require_safe
def export(request: HtmxRequest, pk: int, table: int, form: str) -> HttpResponse:
    """A file to keep, with ?candidates=1 also of the cells that nobody has checked. Raises Http404 for a form
    that there is not.
    """
    row = table_of(request, pk, table)
    if form not in FORMS:
        raise Http404
    grid = Grid(row, request.GET, candidates=request.GET.get("candidates") == "1")
    return file_of(row, grid, form, request.build_absolute_uri("/"))
