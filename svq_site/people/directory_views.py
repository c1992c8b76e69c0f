"""A firm's directories (SCIM), for administrators: the list, a new one, its token, which is shown once."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.scim import directories as services
from accounts.scim.models import Directory
from datasources.web.forms import refuse
from datasources.web.pages import signed_in
from providers.web.administrators import administrators_only
from settings_pages.asking import Question, ask

NEW = "new_directory_token"  # in the session, from the form to the page that shows it
FIELDS = {"name": "name", "domains": "domains"}  # by the code of a refusal
QUESTIONS = {
    "renew": Question(
        heading=gettext_lazy("Make a new token for {}?"),
        consequence=gettext_lazy(
            "The token that it has now opens nothing from then on: put the new one into the "
            "directory at once. People and groups stay as they are."
        ),
        button=gettext_lazy("Make a new token"),
    ),
    "disconnect": Question(
        heading="Disconnect {}?",
        consequence=gettext_lazy(
            "The directory can change nothing here any more: people who leave the firm keep "
            "their accounts until an administrator shuts them off. Accounts and groups that it "
            "made stay, and accounts that it shut off stay shut off. Administrators can give its "
            "groups to another directory."
        ),
        button=gettext_lazy("Disconnect it"),
    ),
}


class DirectoryForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=services.LONGEST_NAME,
        widget=forms.TextInput(attrs={"class": "input"}),
    )
    domains = forms.CharField(
        label=gettext_lazy("Domains of its addresses"),
        max_length=1_000,
        required=False,
        widget=forms.TextInput(attrs={"class": "input"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def directories(request: HttpRequest) -> HttpResponse:
    """POST connects one. The first time after a token was made, with its text, which is kept nowhere."""
    form = DirectoryForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made, secret = services.connect(**form.cleaned_data, by=signed_in(request))
        except ValidationError as refusal:
            refuse(form, refusal, FIELDS)
        else:
            return _with_token(request, made, secret)
    context: dict[str, Any] = {
        "form": form,
        "directories": _listed(),
        "address": request.build_absolute_uri("/scim/v2"),
        "here": "sign_in_settings",
        "tab": "account",
    }
    new = request.session.pop(NEW, None) if request.method == "GET" else None
    if new and (made_now := Directory.objects.filter(pk=new["directory"]).first()):
        context |= {"made": made_now, "secret": new["secret"]}
    return render(request, "people/directories.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def directory(request: HttpRequest, directory: int) -> HttpResponse:
    """POST does what `action` names: renew its token, disconnect it. ?ask= that: whether to."""
    row = get_object_or_404(Directory, pk=directory)
    action = request.POST.get("action", "") if request.method == "POST" else request.GET.get("ask", "")
    if action not in QUESTIONS:
        if request.method != "POST":
            return redirect("directories")
        return HttpResponseBadRequest(_("There is no such action."), content_type="text/plain")
    if request.method != "POST":
        return _question(request, row, action)
    by = signed_in(request)
    if action == "renew":
        return _with_token(request, row, services.renew(row, by=by))
    services.disconnect(row, by=by)
    messages.success(request, _("{name} is disconnected.").format(name=row.name))
    return redirect("directories")


def _question(request: HttpRequest, row: Directory, action: str) -> HttpResponse:
    asked = QUESTIONS[action]
    named = Question(
        heading=asked.heading.format(row.name), consequence=asked.consequence, button=asked.button
    )
    address = reverse("directory", args=[row.pk])
    return ask(request, named, address=address, back=reverse("directories"), fields={"action": action})


def _with_token(request: HttpRequest, row: Directory, secret: str) -> HttpResponse:
    request.session[NEW] = {"directory": row.pk, "secret": secret}
    return redirect("directories")


def _listed() -> QuerySet[Directory]:
    """Each with how many people and groups it keeps."""
    return Directory.objects.annotate(
        persons=Count("people", filter=Q(people__removed=False), distinct=True),
        kept=Count("groups", distinct=True),
    )
