"""What people choose for the reading of the graph, how far it is, and trying again what failed."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from datasources.models import Datasource, Role
from datasources.numbers import number_in
from datasources.settings.sections import page_of_section
from datasources.settings.views import section_page
from datasources.web.forms import refuse
from datasources.web.pages import HtmxRequest, datasource_for, posted_from, signed_in
from graph.exchange.exports import FORMS, download
from graph.extraction.status import extraction_status
from graph.models import GraphExtractor, GraphSettings
from graph.services import choose_extractor, choose_types, retry_chunks, set_budget
from graph.web.extraction_forms import FIELD_OF_CODE, BudgetForm, ExtractorForm, TypesForm
from graph.web.extraction_state import state_of
from ingestion.models import Chunk
from settings_pages.saving import changed_values, save_fields

GRAPH = page_of_section("graph")


@login_required
@posted_from(GRAPH)
def extraction(request: HtmxRequest, pk: int) -> HttpResponse:
    """Choose who reads; the model then reads what it has not read."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = ExtractorForm(request.POST)
    if form.is_valid():
        try:
            choose_extractor(datasource, GraphExtractor(form.cleaned_data["extractor"]))
        except ValidationError as refusal:
            refuse(form, refusal, FIELD_OF_CODE)
        else:
            messages.success(request, " ".join([_("Saved."), what_follows(datasource)]))
            return redirect(GRAPH(pk))
    return section_page(request, datasource, "graph", extractor_form=form)


@login_required
@posted_from(GRAPH)
def extraction_types(request: HtmxRequest, pk: int) -> HttpResponse:
    """One of the fields that say what the model looks for."""
    datasource = datasource_for(request, pk, Role.OWNER)
    return save_fields(
        request,
        TypesForm.of(GraphSettings.objects.of(datasource), request.POST),
        partial(choose_types, datasource),
        page=lambda refused: section_page(request, datasource, "graph", types_form=refused),
        back=GRAPH(pk),
    )


def what_follows(datasource: Datasource) -> str:
    now = extraction_status(datasource)
    if not now.by_model:
        return _("The rules read new documents.")
    told = _("{model} reads on by itself.") if now.left else _("{model} reads new documents.")
    return told.format(model=now.model)


def state_context(request: HtmxRequest, datasource: Datasource) -> dict[str, Any]:
    """What the part of the page that changes shows of the moment."""
    person = signed_in(request)
    return {
        **state_of(datasource),
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
        return redirect(GRAPH(datasource.pk))
    return render(request, "graph/_extraction_changed.html", state_context(request, datasource))


@login_required
@posted_from(GRAPH)
def raise_budget(request: HtmxRequest, pk: int) -> HttpResponse:
    """Set the budget, and read on where it allows that."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = BudgetForm(request.POST, auto_id="raise_%s")
    if form.is_valid():
        try:
            set_budget(datasource, **changed_values(form))
        except ValidationError as refusal:
            refuse(form, refusal, FIELD_OF_CODE)
        else:
            messages.success(request, " ".join([_("Budget saved."), what_follows(datasource)]))
            return redirect(GRAPH(pk))
    return section_page(request, datasource, "graph", budget_form=form)


@login_required
@posted_from(GRAPH)
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
