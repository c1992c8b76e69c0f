"""Thumbs under an answer."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods
from django_htmx.http import trigger_client_event

from chat import feedback
from chat.web.again_views import find_turn
from chat.web.rendering import turn_address
from chat.web.turn_view import view_of
from datasources.pages import HtmxRequest

PLAIN = "text/plain; charset=utf-8"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def give_feedback(request: HtmxRequest, turn: UUID) -> HttpResponse:
    """`helpful` is yes or no, anything else takes it back; answers with the line under the answer."""
    about = find_turn(request, turn)
    if request.method != "POST":
        return redirect(turn_address(about))
    try:
        told = _take(request, turn)
    except ValidationError as error:
        return HttpResponse(" ".join(error.messages), status=409, content_type=PLAIN)
    if not request.htmx:
        return redirect(turn_address(about))
    line = render(request, "chat/_foot.html", {"view": view_of(find_turn(request, turn))})
    return trigger_client_event(line, "toast", {"text": told})


def _take(request: HtmxRequest, turn: UUID) -> str:
    """What was done, in words. Raises ValidationError."""
    about, said = find_turn(request, turn), request.POST.get("helpful", "")
    if said not in {"yes", "no"}:
        feedback.take_back(about)
        return "Taken back"
    feedback.give(
        about,
        helpful=said == "yes",
        reason=request.POST.get("reason", ""),
        note=request.POST.get("note", ""),
    )
    return "Kept for evaluation"
