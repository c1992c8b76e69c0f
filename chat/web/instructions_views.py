"""One's own instructions for all answers in a datasource."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chat.instructions import MAX_INSTRUCTIONS, change, instructions_of
from chat.web.replies import done
from datasources.models import Role
from datasources.web.pages import HtmxRequest, bar, datasource_for, signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def instructions(request: HtmxRequest, pk: int) -> HttpResponse:
    """A dialog over the chat, or a page of its own."""
    datasource, person = datasource_for(request, pk, Role.ASKER), signed_in(request)
    context: dict[str, Any] = bar(datasource, "chat") | {
        "text": instructions_of(person.pk, pk),
        "limit": MAX_INSTRUCTIONS,
    }
    if request.method == "POST":
        typed = request.POST.get("text", "")
        try:
            kept = change(person, datasource, typed)
        except ValidationError as error:
            context |= {"error": " ".join(error.messages), "text": typed}
        else:
            told = (
                _("Your instructions apply from the next question on") if kept else _("Instructions removed")
            )
            return done(request, reverse("chat", args=[pk]), told)
    return render(request, "chat/instructions.html", context, status=422 if "error" in context else 200)
