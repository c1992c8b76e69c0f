"""Thumbs up or down under an answer."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import trigger_client_event

from chat import feedback
from chat.models import FeedbackReason, Turn
from chat.web.answers.rendering import turn_address
from chat.web.answers.turn_view import view_of
from chat.web.lookup import find_turn
from chat.web.replies import done
from datasources.models import Role
from datasources.web.pages import HtmxRequest, bar


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def give_feedback(request: HtmxRequest, turn: UUID) -> HttpResponse:
    """A dialog that asks why; `helpful` is yes or no, anything else takes it back.

    A thumb up gets the line under the answer, the dialog gets the page.
    """
    about = find_turn(request, turn, Role.ASKER)
    context: dict[str, Any] = bar(about.conversation.datasource, "chat") | {
        "turn": about,
        "given": getattr(about, "feedback", None),
        "reasons": [(value, label) for value, label in FeedbackReason.choices if value],
        "back": turn_address(about),
    }
    if request.method != "POST":
        return render(request, "chat/feedback.html", context)
    try:
        told = _take(request, about)
    except ValidationError as error:
        refused = context | {"error": " ".join(error.messages), "given": request.POST}
        return render(request, "chat/feedback.html", refused, status=422)
    if not request.htmx or request.htmx.target == "not-helpful":
        return done(request, turn_address(about), told)
    line = render(request, "chat/_foot.html", {"view": view_of(find_turn(request, turn, Role.ASKER))})
    return trigger_client_event(line, "toast", {"text": told})


def _take(request: HtmxRequest, about: Turn) -> str:
    """What was done, in words. Raises ValidationError."""
    said = request.POST.get("helpful", "")
    if said not in {"yes", "no"}:
        feedback.take_back(about)
        return _("Taken back")
    feedback.give(
        about,
        helpful=said == "yes",
        reason=request.POST.get("reason", ""),
        note=request.POST.get("note", ""),
    )
    return _("Kept for evaluation")
