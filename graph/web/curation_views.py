"""Pages on which people put the graph right: the review queue, changes of one entity, all decisions."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from datasources.models import Datasource, Role
from datasources.numbers import number_in, numbers_in
from datasources.web.pages import (
    HtmxRequest,
    bar,
    can_edit,
    datasource_for,
    page_of_datasource,
    posted_from,
    signed_in,
)
from graph.curation import decisions, review, services
from graph.models import Decision, Entity, EntityName
from graph.web.curation_forms import EntityForm

PER_PAGE = 50
GONE = gettext_lazy(
    "This is no longer in the graph: somebody else has decided, or documents changed. Nothing was changed."
)


# --- the review queue ------------------------------------------------------------------------------------
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def queue(request: HtmxRequest, pk: int) -> HttpResponse:
    """Pair after pair; ?after= is where to go on, ?decided= the decision that can be undone at once."""
    if request.method == "POST":
        return answer(request, datasource_for(request, pk, Role.EDITOR))
    datasource = datasource_for(request, pk)
    after = review.QueuePosition.parse(request.GET.get("after", ""))
    context = bar(datasource, "graph") | {
        "can_edit": can_edit(request, datasource),
        "pair": review.first(pk, after),
        "left": review.count(pk),
        "after": after or "",
        "decided": just_decided(request, datasource),
        "part": request.htmx,
    }
    return render(request, "graph/_review.html" if request.htmx else "graph/review.html", context)


def answer(request: HtmxRequest, datasource: Datasource) -> HttpResponse:
    """Decide about the pair in the form, then go on with the next one."""
    after = request.POST.get("after", "")
    query = {"after": after} if review.QueuePosition.parse(after) else {}
    try:
        query["decided"] = str(decide(request, datasource).pk)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    return redirect(reverse("graph_review", args=[datasource.pk], query=query))


def decide(request: HtmxRequest, datasource: Datasource) -> Decision:
    """Raises ValidationError when the pair is not open any more."""
    numbers = numbers_in(request.POST.get(side, "") for side in "ab")
    names = EntityName.objects.filter(datasource=datasource).select_related("entity").in_bulk(numbers)
    if len(names) != 2:
        raise ValidationError(GONE)
    one, two = (names[number] for number in numbers)
    if one.entity is None or two.entity is None or one.entity_id == two.entity_id:
        raise ValidationError(_("These two are already the same entity. Nothing was changed."))
    if request.POST.get("answer") == "same":
        return services.merge(one.entity, two.entity, signed_in(request))
    if request.POST.get("answer") == "apart":
        return services.keep_apart(one, two, signed_in(request))
    raise ValidationError(_("Choose whether the two are the same. Nothing was changed."))


def just_decided(request: HtmxRequest, datasource: Datasource) -> decisions.DecisionText | None:
    """The decision of ?decided=, if this person made it and it still holds."""
    number = number_in(request.GET.get("decided"))
    if number is None:
        return None
    own = Decision.objects.filter(datasource=datasource, decided_by=signed_in(request), pk=number)
    return next(iter(decisions.in_words(own)), None)


# --- one entity ------------------------------------------------------------------------------------------
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HtmxRequest, pk: int, entity: int, form_class: type[EntityForm]) -> HttpResponse:
    """A form about an entity: a dialog on the graph's page, or a page of its own."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    found = Entity.objects.filter(datasource=datasource, pk=entity).first()
    if found is None and request.method == "POST":
        messages.error(request, GONE)
        return redirect("graph", pk)
    found = found or get_object_or_404(Entity, datasource=datasource, pk=entity)
    asked = {"q": request.GET.get("q", "")[:200]}
    data = request.POST if request.method == "POST" else None
    form = form_class(data, initial=asked, entity=found, datasource=datasource)
    if request.method == "POST" and (saved := save(request, form)):
        return redirect(decisions.address(datasource, saved.key, saved.sense))
    context = bar(datasource, "graph") | {
        "entity": found,
        "form": form,
        "title": str(form.title) % found.name,
    }
    if request.htmx and request.htmx.target != "dialog":
        return render(request, "graph/_change_found.html", context)
    return render(request, "graph/change.html", context, status=422 if form.errors else 200)


def save(request: HtmxRequest, form: EntityForm) -> Decision | None:
    """Decide as the form says; None when it has errors, which it then shows."""
    if not form.is_valid():
        return None
    try:
        decision = form.save(signed_in(request))
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return None
    address = reverse("graph_decisions", args=[form.datasource.pk], fragment=f"decision-{decision.pk}")
    done = str(form.said) % form.entity.name
    undo = format_html('<a class="btn ghost sm" href="{}">{}</a>', address, _("Undo"))
    messages.success(request, format_html("{} {}", done, undo))
    return decision


# --- all decisions ---------------------------------------------------------------------------------------
@login_required
@require_safe
def all_decisions(request: HtmxRequest, pk: int) -> HttpResponse:
    """Everything that people have decided, the newest first."""
    datasource = datasource_for(request, pk)
    made = Decision.objects.filter(datasource=datasource).select_related("decided_by", "document")
    page = Paginator(made.order_by("-pk"), PER_PAGE).get_page(request.GET.get("page"))
    context = bar(datasource, "graph") | {
        "page": page,
        "decisions": decisions.in_words(page),
        "can_edit": can_edit(request, datasource),
        "left": review.count(pk),
    }
    return render(request, "graph/decisions.html", context)


@login_required
@posted_from(page_of_datasource("graph_decisions"))
def undo(request: HtmxRequest, pk: int, decision: int) -> HttpResponse:
    """Take a decision back, then return to the page in the form's `to`: review, decisions, or its entity."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    found = Decision.objects.filter(datasource=datasource, pk=decision).first()
    if found is None:
        messages.error(request, _("This decision was already undone. Nothing was changed."))
    else:
        services.undo(found)
        messages.success(request, _("The decision was undone. The graph is as if it had never been made."))
    to, after = request.POST.get("to"), request.POST.get("after", "")
    if to == "review":
        query = {"after": after} if review.QueuePosition.parse(after) else None
        return redirect(reverse("graph_review", args=[pk], query=query))
    if to == "entity" and found:
        return redirect(decisions.address(datasource, found.key, found.sense))
    return redirect("graph_decisions", pk)
