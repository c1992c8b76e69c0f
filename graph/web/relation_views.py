"""Relations as a table, to put many of them right at once: left out, brought back, of another type."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from datasources.models import Datasource, Role
from datasources.numbers import numbers_in
from datasources.web.pages import HtmxRequest, bar, can_edit, datasource_for, signed_in
from graph.curation import decisions, services
from graph.models import OF_RELATIONS, Decision, DecisionKind, Relation
from graph.models.listing import relations_of
from graph.web.relation_words import in_words
from localization.numbers import numeral

PER_PAGE = 50
TOGETHER = gettext_lazy("named together")  # all that is known of two things in one sentence
OFFERED = 40  # types in use that are offered
CHANGED = "relations_changed"  # in the session: what the last answer to the form did, to be undone at once


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def relations(request: HtmxRequest, pk: int) -> HttpResponse:
    """?q= words, ?show=dismissed: those that are left out. POST: what `action` names, with those ticked."""
    if request.method == "POST":
        return change(request, datasource_for(request, pk, Role.EDITOR))
    datasource = datasource_for(request, pk)
    words, dismissed = request.GET.get("q", "").strip()[:200], request.GET.get("show") == "dismissed"
    rows: Any = relations_of(datasource, words=words)
    if dismissed:
        made = Decision.objects.filter(datasource=datasource, kind=DecisionKind.DISMISS)
        rows = made.select_related("decided_by").order_by("-pk")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    editable = can_edit(request, datasource)
    context = bar(datasource, "graph") | {
        "page": page,
        "rows": [] if dismissed else [(one, _label(one)) for one in page],
        "left_out": decisions.in_words(page) if dismissed else [],
        "dismissed": dismissed,
        "words": words,
        "can_edit": editable,
        "types": types_in_use(datasource) if editable and not dismissed else [],
        "longest": services.LONGEST_TYPE,
        "changed": just_changed(request, datasource) if editable else None,
    }
    return render(request, "graph/relations.html", context)


def _label(relation: Relation) -> str:
    return in_words(relation.type) if relation.type else str(TOGETHER)


def types_in_use(datasource: Datasource) -> list[str]:
    found = Relation.objects.filter(datasource=datasource).exclude(keywords=[])
    return sorted(filter(None, found.order_by().values_list("keywords__0", flat=True).distinct()[:OFFERED]))


def change(request: HtmxRequest, datasource: Datasource) -> HttpResponse:
    """One answer for all that are ticked; then the list again, with what was done and its undo."""
    try:
        request.session[CHANGED] = {"datasource": datasource.pk} | act(request, datasource)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    back = QueryDict(request.POST.get("back", "")[:2000]).urlencode()
    return redirect(f"{reverse('graph_relations', args=[datasource.pk])}?{back}")


def act(request: HtmxRequest, datasource: Datasource) -> dict[str, Any]:
    """What is said of it, and the decisions that undo takes back. Raises ValidationError."""
    action, person = request.POST.get("action"), signed_in(request)
    if action in ("restore", "undo"):
        numbers = numbers_in(request.POST.getlist("decision"))
        made = Decision.objects.filter(datasource=datasource, kind__in=OF_RELATIONS, pk__in=numbers)
        taken_back = list(made)
        _refuse_none(taken_back)
        services.undo_several(datasource.pk, taken_back)
        many = len(taken_back)
        if action == "restore":
            told = ngettext("{n} relation back in the graph.", "{n} relations back in the graph.", many)
        else:
            told = ngettext("{n} relation as before.", "{n} relations as before.", many)
        return {"said": told.format(n=numeral(many)), "decisions": []}
    numbers = numbers_in(request.POST.getlist("relation"))
    chosen = list(relations_of(datasource).filter(pk__in=numbers))
    _refuse_none(chosen)
    if action == "dismiss":
        decided = services.dismiss(chosen, person)
        told = ngettext(
            "What is said of {n} pair is left out of the graph.",
            "What is said of {n} pairs is left out of the graph.",
            len(decided),
        )
        said = told.format(n=numeral(len(decided)))
    elif action == "relate":
        name = request.POST.get("type", "")
        decided = services.relate(chosen, name, person)
        told = ngettext(
            "{n} relation of the type “{name}” now.", "{n} relations of the type “{name}” now.", len(chosen)
        )
        said = told.format(n=numeral(len(chosen)), name=" ".join(name.split()))
    else:
        raise ValidationError(_("There is no such action. Nothing was changed."))
    return {"said": said, "decisions": [decision.pk for decision in decided]}


def _refuse_none(chosen: list[Any]) -> None:
    if not chosen:
        raise ValidationError(_("Tick at least one relation that is still there. Nothing was changed."))


def just_changed(request: HtmxRequest, datasource: Datasource) -> dict[str, Any] | None:
    """What was done just now, told once."""
    changed = request.session.get(CHANGED)
    if not changed or changed["datasource"] != datasource.pk:
        return None
    del request.session[CHANGED]
    return dict(changed)
