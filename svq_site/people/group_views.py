"""Groups of people, for administrators: the list, a page for each, who is in it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts import groups as services
from accounts.identity.groups import map_group
from accounts.identity.models import IdentityProvider
from accounts.models import PeopleGroup
from accounts.scim.groups import give
from accounts.scim.models import Directory
from datasources.templatetags.amounts import counted
from datasources.web.forms import refuse
from datasources.web.pages import signed_in
from providers.web.administrators import administrators_only
from settings_pages.asking import Question, ask
from settings_pages.refusals import OFFERED, always_says
from svq_site.people import listing
from svq_site.people.forms import PersonForm

DELETE = {"action": "delete"}
FIELDS = {"name": "name", services.TAKEN: "name", "claim_missing": "claim"}  # by the code of a refusal


class GroupForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=services.LONGEST_NAME,
        widget=forms.TextInput(attrs={"class": "input"}),
    )


class GroupDetailForm(GroupForm):
    """Who is in it by a provider's groups, too."""

    provider = forms.ModelChoiceField(
        IdentityProvider.objects.all(),
        label=gettext_lazy("Sign-in provider"),
        required=False,
        empty_label=gettext_lazy("None: you choose the members"),
        error_messages=always_says(OFFERED),
        widget=forms.Select(attrs={"class": "select"}),
    )
    claim = forms.CharField(
        label=gettext_lazy("Name of the group at the provider"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"class": "input"}),
    )
    directory = forms.ModelChoiceField(
        Directory.objects.all(),
        label=gettext_lazy("Directory"),
        required=False,
        empty_label=gettext_lazy("None: only administrators choose the members"),
        error_messages=always_says(OFFERED),
        widget=forms.Select(attrs={"class": "select"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def groups(request: HttpRequest) -> HttpResponse:
    """POST makes one."""
    form = GroupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.make_group(form.cleaned_data["name"], by=signed_in(request))
        except ValidationError as refusal:
            refuse(form, refusal, FIELDS)
        else:
            return redirect("group", made.pk)
    return _page(request, "people/groups.html", {"groups": listing.groups(), "form": form}, form)


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def group(request: HttpRequest, group: int) -> HttpResponse:
    """POST does what `action` names: save its fields, add a person, delete it. ?ask=delete: whether to."""
    shown = get_object_or_404(
        PeopleGroup.objects.select_related("provider", "in_directory__directory"), pk=group
    )
    if request.GET.get("ask") == "delete" and request.method != "POST":
        address = reverse("group", args=[group])
        return ask(request, _whether_to_delete(shown), address=address, back=address, fields=DELETE)
    by, action = signed_in(request), request.POST.get("action", "")
    link = getattr(shown, "in_directory", None)
    fields = {
        "name": shown.name,
        "provider": shown.provider_id,
        "claim": shown.claim,
        "directory": link and link.directory_id,
    }
    form, adding = GroupDetailForm(initial=fields), PersonForm()
    if action == "delete":
        services.delete_group(shown, by=by)
        messages.success(
            request, _("{name} is deleted. What was shared with it is not any more.").format(name=shown.name)
        )
        return redirect("groups")
    if action == "add":
        adding = PersonForm(request.POST)
        if adding.is_valid():
            try:
                services.add_member(shown, adding.cleaned_data["email"], by=by)
            except ValidationError as refusal:
                adding.add_error("email", refusal)
            else:
                return redirect("group", group)
    elif action == "save":
        form = GroupDetailForm(request.POST)
        if form.is_valid():
            try:
                with transaction.atomic():
                    services.rename_group(shown, form.cleaned_data["name"], by=by)
                    map_group(shown, form.cleaned_data["provider"], form.cleaned_data["claim"], by=by)
                    give(shown, form.cleaned_data["directory"], by=by)
            except ValidationError as refusal:
                refuse(form, refusal, FIELDS)
            else:
                messages.success(request, _("Saved."))
                return redirect("group", group)
        shown = get_object_or_404(PeopleGroup, pk=group)  # as it is, also where it was deleted meanwhile
    elif request.method == "POST":
        return HttpResponseBadRequest(_("There is no such action."), content_type="text/plain")
    context = {
        "group": shown,
        "form": form,
        "adding": adding,
        "shared": _shared_with(shown),
        "members": shown.members.select_related("person", "provider").order_by("person__email"),
        "providers": IdentityProvider.objects.all(),
        "directories": Directory.objects.all(),
    }
    return _page(request, "people/group.html", context, form, adding)


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def remove_from_group(request: HttpRequest, group: int, user: int) -> HttpResponse:
    """They lose at once what they see by it alone."""
    shown = get_object_or_404(PeopleGroup, pk=group)
    if request.method == "POST":
        member = get_object_or_404(shown.members.select_related("person", "group"), person=user)
        services.remove_member(member, by=signed_in(request))
        messages.success(
            request, _("{email} is no longer in {name}.").format(email=member.person.email, name=shown.name)
        )
    return redirect("group", group)


def _whether_to_delete(group: PeopleGroup) -> Question:
    loss = _("Shared with it: {what}. Its members lose at once what they see by it alone.").format(
        what=_shared_with(group)
    )
    return Question(
        heading=_("Delete the group {name}?").format(name=group.name),
        consequence=_("{loss} The accounts of its members stay. This cannot be undone.").format(loss=loss),
        button=_("Delete the group"),
    )


def _shared_with(group: PeopleGroup) -> str:
    """What owners share with it, in words."""
    datasources, found = group.shares.count(), group.matter_shares.count()
    return _("{first} and {last}").format(
        first=counted(datasources, "datasource"), last=counted(found, "matter")
    )


def _page(
    request: HttpRequest, template: str, context: dict[str, Any], *forms_on_it: forms.BaseForm
) -> HttpResponse:
    refused = any(form.errors for form in forms_on_it)
    context |= {"here": "groups", "tab": "account"}
    return render(request, template, context, status=422 if refused else 200)
