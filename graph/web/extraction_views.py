"""The page on which people choose who reads for the graph, see what it costs, and try again what failed."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from datasources.forms import refuse
from datasources.models import Datasource, Role
from datasources.models_in_use import host_of, is_local
from datasources.numbers import number_in
from datasources.pages import HtmxRequest, bar, datasource_for, page_of_datasource, posted_from, signed_in
from graph.exchange.exports import FORMS, download
from graph.extraction.llm.budget import price
from graph.extraction.status import estimate, extraction_status, failed_chunks, report
from graph.models import GraphExtractor, GraphSettings
from graph.services import change_extraction, retry_chunks, set_budget
from graph.values.ontology import PRESETS, Ontology
from graph.web.extraction_forms import FIELD_OF_CODE, BudgetForm, ExtractionForm
from ingestion.models import Chunk
from providers.protocols import Usage
from providers.roles import ModelRole, endpoint

SHOWN = 50  # failed chunks; the others are counted


@login_required
@require_http_methods(["GET", "POST"])
def extraction(request: HtmxRequest, pk: int) -> HttpResponse:
    """Everybody sees who reads and what it costs; the owner chooses."""
    posted = request.method == "POST"
    datasource = datasource_for(request, pk, Role.OWNER if posted else Role.VIEWER)
    form = ExtractionForm(request.POST) if posted else ExtractionForm.of(GraphSettings.objects.of(datasource))
    if posted and form.is_valid():
        new = form.cleaned_data
        new |= {"extractor": GraphExtractor(new["extractor"]), "ontology": Ontology(new["ontology"])}
        try:
            change_extraction(datasource, **new)
        except ValidationError as refusal:
            refuse(form, refusal, FIELD_OF_CODE)
        else:
            messages.success(request, "Saved. " + what_follows(datasource))
            return redirect("graph_extraction", pk)
    return extraction_page(request, datasource, form)


def what_follows(datasource: Datasource) -> str:
    now = extraction_status(datasource)
    if not now.by_model:
        return "The rules read new documents."
    return f"{now.model} reads on by itself." if now.left else f"{now.model} reads new documents."


def extraction_page(
    request: HtmxRequest, datasource: Datasource, form: ExtractionForm, budget_form: BudgetForm | None = None
) -> HttpResponse:
    """The whole page, with forms that were refused in place of fresh ones."""
    host = host_of(endpoint(datasource, ModelRole.EXTRACTION))
    context = {
        **bar(datasource, "settings"),
        **state_context(request, datasource),
        "form": form,
        "presets": [(Ontology(name).label, types) for name, types in PRESETS.items()],
        "host": host,
        "is_local": is_local(host),
    }
    if budget_form:
        context["budget_form"] = budget_form
    refused = form.errors or (budget_form and budget_form.errors)
    return render(request, "graph/extraction.html", context, status=422 if refused else 200)


def state_context(request: HtmxRequest, datasource: Datasource) -> dict[str, Any]:
    """What the page shows of the moment."""
    now = extraction_status(datasource)
    person, chosen = signed_in(request), GraphSettings.objects.of(datasource)
    return {
        "datasource": datasource,
        "graph_settings": chosen,
        "reading": now,
        "errors": report(datasource).errors if now.failed else (),
        "failures": failed_chunks(datasource)[:SHOWN] if now.failed else (),
        "more_failures": max(0, now.failed - SHOWN),
        "estimate": estimate(datasource) if now.model and not now.is_reading else None,
        "prices_known": price(Usage(), datasource) is not None,
        "budget_form": BudgetForm(initial=BudgetForm.values(chosen), auto_id="raise_%s"),
        "is_owner": datasource.has_role(person, Role.OWNER),
        "can_edit": datasource.has_role(person, Role.EDITOR),
    }


@login_required
@require_GET
def extraction_state(request: HtmxRequest, pk: int) -> HttpResponse:
    """The part of the page that changes while the model reads."""
    return state_response(request, datasource_for(request, pk))


def state_response(request: HtmxRequest, datasource: Datasource) -> HttpResponse:
    """That part, or the page without JavaScript."""
    if not request.htmx:
        return redirect("graph_extraction", datasource.pk)
    return render(request, "graph/_extraction_changed.html", state_context(request, datasource))


@login_required
@posted_from(page_of_datasource("graph_extraction"))
def raise_budget(request: HtmxRequest, pk: int) -> HttpResponse:
    """Set the budget, and read on where it allows that."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = BudgetForm(request.POST, auto_id="raise_%s")
    if form.is_valid():
        try:
            set_budget(datasource, **form.cleaned_data)
        except ValidationError as refusal:
            refuse(form, refusal, FIELD_OF_CODE)
        else:
            messages.success(request, "Budget saved. " + what_follows(datasource))
            return redirect("graph_extraction", pk)
    return extraction_page(request, datasource, ExtractionForm.of(GraphSettings.objects.of(datasource)), form)


@login_required
@posted_from(page_of_datasource("graph_extraction"))
def retry(request: HtmxRequest, pk: int) -> HttpResponse:
    """Have one failed chunk read again, or all of them."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    chunk = number_in(request.POST.get("chunk"))
    chosen = None if chunk is None else Chunk.objects.filter(datasource=datasource, pk=chunk)
    retry_chunks(datasource, chosen)
    return state_response(request, datasource)


@login_required
@require_GET
def graph_export(request: HtmxRequest, pk: int, form: str) -> HttpResponseBase:
    """The graph as a file to be saved."""
    if form not in FORMS:
        raise Http404
    return download(datasource_for(request, pk), FORMS[form])
