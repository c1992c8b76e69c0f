"""The gap analysis of a datasource: its page, one requirement, what people say of it, its evidence."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from citations.place_in_file import shown_place
from datasources.access import people_of
from datasources.models import Role
from datasources.numbers import number_in
from datasources.web.pages import HtmxRequest, bar, can_edit, datasource_for, posted_from, signed_in
from desks.compliance.checks import review as reviews
from desks.compliance.models import Assessment
from desks.compliance.web.begin import begin_context
from desks.compliance.web.find import assessment_of, evidence_in, requirement_of
from desks.compliance.web.gap_page import choice_of, context_of, pane_of
from formats import ExtractionError
from ingestion.models import Page
from jobs.fair_slots import Busy
from reader import page_images


@login_required
@require_safe
def gaps(request: HtmxRequest, pk: int) -> HttpResponse:
    """?framework= and ?vendor= are numbers; ?at= is a part, ?show= a filter, ?open= a requirement.

    ?lists: what to begin with, as where there is no list yet.
    """
    datasource = datasource_for(request, pk)
    choice = choice_of(datasource, request.GET)
    context = bar(datasource, "gaps") | {"can_edit": can_edit(request, datasource)}
    if choice.framework is None or "lists" in request.GET:
        context |= begin_context(signed_in(request), datasource) | {"has_lists": choice.framework is not None}
        return render(request, "compliance/begin.html", context)
    return render(request, "compliance/gaps.html", context | context_of(datasource, choice))


def page_address(
    assessment: Assessment, requirement: int | None = None, shown: Mapping[str, Any] | None = None
) -> str:
    """Of the page with that requirement opened, with the part and filter of the query that was `shown`."""
    query: dict[str, Any] = {"framework": assessment.framework_id, "vendor": assessment.subject_id}
    query |= {name: shown[name] for name in ("at", "show") if shown and shown.get(name)}
    query |= {"open": requirement} if requirement else {}
    return f"{reverse('gaps', args=[assessment.datasource_id])}?{urlencode(query)}"


@login_required
@require_safe
def requirement(request: HtmxRequest, pk: int, assessment: int, requirement: int) -> HttpResponse:
    """One requirement for the pane; without htmx the page with the pane open."""
    row = assessment_of(request, pk, assessment)
    chosen = requirement_of(row, requirement)
    if not request.htmx:
        return redirect(page_address(row, chosen.pk, request.GET))
    context = pane_of(row, chosen) | {
        "datasource": row.datasource,
        "assessment": row,
        "framework": row.framework,
        "can_edit": can_edit(request, row.datasource),
    }
    return render(request, "compliance/_requirement.html", context)


def _page_of_review(pk: int, assessment: int, requirement: int) -> str:
    return reverse("gap_requirement", args=[pk, assessment, requirement])


@login_required
@posted_from(_page_of_review)
def review(request: HtmxRequest, pk: int, assessment: int, requirement: int) -> HttpResponse:
    """`action`: agree, change (with `verdict` and `reason`), assign (`to`: a person's number, or nobody)."""
    row = assessment_of(request, pk, assessment, Role.EDITOR)
    chosen, person = requirement_of(row, requirement), signed_in(request)
    try:
        match request.POST.get("action"):
            case "agree":
                reviews.agree(row, chosen, person)
            case "change":
                verdict, reason = (request.POST.get(name, "") for name in ("verdict", "reason"))
                reviews.change(row, chosen, person, verdict, reason)
            case "assign":
                number = number_in(request.POST.get("to"))
                to = next((each for each in people_of(row.datasource) if each.pk == number), None)
                reviews.assign(row, chosen, person, to)
    except ValidationError as refusal:
        messages.error(request, _(refusal.messages[0]))
    return redirect(page_address(row, chosen.pk, request.GET))


@login_required
@require_safe
def card(request: HtmxRequest, pk: int, evidence: int) -> HttpResponse:
    """What is shown while the pointer rests on a number of the evidence."""
    row = evidence_in(request, pk, evidence)
    crops: list[dict[str, Any]] = []
    if page_images.has_pages(row.document):
        for page in row.pages[:2]:
            if boxes := row.boxes.get(str(page)):
                try:
                    width, height = page_images.crop_size(row.document, page, boxes)
                except Page.DoesNotExist:
                    continue
                crops.append({"page": page, "width": width, "height": height})
    place = shown_place(row.document, row.pages, row.start, row.end)
    context = {"datasource": row.document.datasource, "row": row, "crops": crops, "place": place}
    return render(request, "compliance/_card.html", context)


@login_required
@require_safe
def crop(request: HtmxRequest, pk: int, evidence: int, page: int) -> HttpResponse:
    """WebP of the quoted words and what surrounds them."""
    row = evidence_in(request, pk, evidence)
    boxes = row.boxes.get(str(page))
    if not boxes or not page_images.has_pages(row.document):
        raise Http404
    try:
        image = page_images.crop(row.document, page, boxes, asker=signed_in(request).pk)
    except (Page.DoesNotExist, ExtractionError, OSError):
        raise Http404 from None
    except Busy as busy:
        return HttpResponse(status=503, headers={"Retry-After": str(busy.wait)})
    return HttpResponse(image, content_type="image/webp", headers={"Cache-Control": page_images.KEEP})
