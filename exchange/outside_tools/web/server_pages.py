"""The outside servers that are allowed here, for administrators: add one, look at its tools, remove it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from datasources.web.forms import refuse
from datasources.web.pages import HtmxRequest
from exchange.outside_tools import services
from exchange.outside_tools.failures import OutsideFailure
from exchange.outside_tools.models import OutsideServer
from providers.web.administrators import administrators_only
from settings_pages.asking import Question, ask

FIELDS = {"address": "address", "token": "token", "name": "name"}  # by the code of a refusal


class ServerForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=60,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )
    address = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=services.LONGEST_ADDRESS,
        widget=forms.URLInput(attrs={"class": "input", "autocomplete": "off"}),
    )
    token = forms.CharField(
        label=gettext_lazy("Bearer token"),
        max_length=services.LONGEST_TOKEN,
        required=False,
        widget=forms.PasswordInput(attrs={"class": "input", "autocomplete": "off"}),
    )
    is_private = forms.BooleanField(
        label=gettext_lazy("It lies on this machine or in a private network"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )
    is_per_person = forms.BooleanField(
        label=gettext_lazy("Each person enters a token of their own for calls"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )
    is_for_owners = forms.BooleanField(
        label=gettext_lazy("Every owner may attach its tools; otherwise administrators alone"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
@sensitive_post_parameters("token")
def outside_servers(request: HtmxRequest) -> HttpResponse:
    """POST asks a server for its tools, and adds it if it answers."""
    form = ServerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.add_server(**form.cleaned_data)
        except ValidationError as refusal:
            refuse(form, refusal, FIELDS)
        else:
            told = _("%(server)s is added. It offers %(count)s tools.")
            messages.success(request, told % {"server": made, "count": len(made.listed)})
            return redirect("outside_servers")
    context: dict[str, Any] = {
        "servers": OutsideServer.objects.prefetch_related("attached"),
        "form": form,
        "here": "outside_servers",
        "tab": "account",
    }
    return render(request, "outside_tools/servers.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def outside_server(request: HtmxRequest, server: int) -> HttpResponse:
    """POST does what `action` names; otherwise the question whether to remove it."""
    found = get_object_or_404(OutsideServer, pk=server)
    back = reverse("outside_servers")
    if request.method != "POST":
        return ask(
            request, _whether_to_remove(found), address=request.path, back=back, fields={"action": "remove"}
        )
    match request.POST.get("action", ""):
        case "remove":
            found.delete()
            messages.success(request, _("%(server)s is removed.") % {"server": found})
        case "owners" | "administrators" as who:
            services.let_owners(found, who == "owners")
            messages.success(request, _("Saved."))
        case "own" | "shared" as whose:
            _ask_each_person(request, found, whose == "own")
        case "look":
            _look(request, found)
        case _:
            return HttpResponseBadRequest("There is no such action.", content_type="text/plain")
    return redirect(back)


def _ask_each_person(request: HtmxRequest, server: OutsideServer, each: bool) -> None:
    try:
        services.ask_each_person(server, each)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(request, _("Saved."))


def _look(request: HtmxRequest, server: OutsideServer) -> None:
    try:
        services.look_again(server)
    except OutsideFailure as failure:
        messages.error(request, _(str(failure)))
    else:
        messages.success(request, _("%(server)s has listed its tools.") % {"server": server})


def _whether_to_remove(server: OutsideServer) -> Question:
    return Question(
        heading=_("Remove %(server)s?") % {"server": server},
        consequence=_(
            "Its token is deleted, and its tools are gone from every datasource. Answers that were written "
            "with them stay."
        ),
        button=_("Remove it"),
    )
