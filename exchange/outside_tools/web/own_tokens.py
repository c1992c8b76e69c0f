"""One's own tokens for outside servers that ask each person for one: enter, remove."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from datasources.web.pages import HtmxRequest, signed_in
from exchange.outside_tools import personal_tokens
from exchange.outside_tools.services import LONGEST_TOKEN


@login_required
@require_safe
def own_outside_tokens(request: HtmxRequest) -> HttpResponse:
    context = {
        "servers": personal_tokens.servers_of(signed_in(request)),
        "longest": LONGEST_TOKEN,
        "here": "own_outside_tokens",
        "tab": "account",
    }
    return render(request, "outside_tools/own_tokens.html", context)


@sensitive_post_parameters("token")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own_outside_token(request: HtmxRequest, server: int) -> HttpResponse:
    """POST does what `action` names; the form is on the page of all."""
    if request.method != "POST":
        return redirect("own_outside_tokens")
    person = signed_in(request)
    found = get_object_or_404(personal_tokens.servers_of(person), pk=server)
    match request.POST.get("action", ""):
        case "enter":
            try:
                personal_tokens.enter(found, person, request.POST.get("token", "")[: LONGEST_TOKEN + 1])
            except ValidationError as refusal:
                messages.error(request, refusal.messages[0])
            else:
                messages.success(request, _("Saved. It counts from the next question on."))
        case "remove":
            personal_tokens.remove(found, person)
            messages.success(request, _("Your token is deleted."))
        case _:
            return HttpResponseBadRequest("There is no such action.", content_type="text/plain")
    return redirect("own_outside_tokens")
