"""A new datasource and the settings of one. Its documents and its deletion are ingestion's."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods
from django_htmx.http import reselect, reswap, retarget, trigger_client_event

from datasources import services
from datasources.capacity import contents_of
from datasources.forms import (
    DatasourceForm,
    MemberForm,
    NewDatasourceForm,
    RoleForm,
    focus_first_error,
    refuse,
)
from datasources.model_choice import choices_for
from datasources.model_health import measured
from datasources.models import Datasource, Role
from datasources.models_in_use import everything_is_local
from datasources.own_servers import may_connect, own_models
from datasources.pages import (
    HtmxRequest,
    bar,
    datasource_for,
    go,
    page_of_datasource,
    posted_from,
    signed_in,
)
from datasources.settings_page import sections
from providers.roles import ModelRole, endpoint

PEOPLE = page_of_datasource("datasource_settings", "#people")


@login_required
@require_http_methods(["GET", "POST"])
def new_datasource(request: HtmxRequest) -> HttpResponse:
    """A dialog on the home page, or a page of its own."""
    form = NewDatasourceForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name, description = form.cleaned_data["name"], form.cleaned_data["description"]
        try:
            made = services.create_datasource(signed_in(request), name, description=description)
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            if form.cleaned_data["waiting"] and request.htmx:
                return take_files(request, made)
            return go(request, reverse("documents", args=[made.pk]))
    status = 422 if form.errors else 200
    return render(request, "datasources/new.html", {"form": form, "tab": "home"}, status=status)


def take_files(request: HtmxRequest, made: Datasource) -> HttpResponse:
    """In place of home: sends the files that were dropped there, then goes to the documents."""
    context = {"datasource": made, "max_bytes": settings.MAX_UPLOAD_BYTES}
    answer = render(request, "datasources/_adding.html", context)
    return reselect(reswap(retarget(answer, "#main"), "innerHTML"), ".adding")


@login_required
@require_GET
def tabs(request: HtmxRequest, pk: int) -> HttpResponse:
    """The tabs as they are now, with ?current= open: documents come and go while a page is open."""
    context = bar(datasource_for(request, pk), request.GET.get("current", ""))
    return render(request, "components/tabs.html", context)


# --- settings --------------------------------------------------------------------------------------------
@login_required
@require_http_methods(["GET", "POST"])
def datasource_settings(request: HtmxRequest, pk: int) -> HttpResponse:
    """Everybody sees the settings; the owner changes them."""
    posted = request.method == "POST"
    datasource = datasource_for(request, pk, Role.OWNER if posted else Role.VIEWER)
    form = DatasourceForm(request.POST if posted else None, instance=datasource)
    if posted and form.is_valid():
        try:
            services.change_datasource(get_object_or_404(Datasource, pk=pk), **form.cleaned_data)
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, "Settings saved.")
            return redirect("datasource_settings", pk)
    if form.errors:
        datasource.refresh_from_db()  # the form has written the refused values into it
    return settings_page(request, datasource, form=form)


def settings_page(request: HtmxRequest, datasource: Datasource, **forms: Any) -> HttpResponse:
    """The page, with forms that were refused in place of fresh ones."""
    role = datasource.role_of(signed_in(request))
    for form in forms.values():
        focus_first_error(form)
    context: dict[str, Any] = {
        **bar(datasource, "settings"),
        "form": DatasourceForm(instance=datasource),
        "member_form": MemberForm(),
        **forms,
        "role": role,
        "is_owner": role == Role.OWNER,
        "roles": Role,
        "invitations": datasource.invitations.order_by("email"),
        "members": datasource.memberships.select_related("user").order_by("user__email"),
        "models": measured(datasource),
        "model_choices": choices_for(datasource),
        "own_models": own_models(datasource),
        "may_connect": may_connect(),
        "sections": sections(),
        "is_local": everything_is_local(datasource),
        "contents": contents_of(datasource),
        "loss": services.loss_of(datasource),
        "language_model_is_set": endpoint(datasource, ModelRole.AGENT) is not None,
    }
    for section in sections():
        context |= {**section.context(datasource), **forms}
    return render(
        request,
        "datasources/settings.html",
        context,
        status=422 if any(form.errors for form in forms.values()) else 200,
    )


@login_required
@posted_from(PEOPLE)
def add_member(request: HtmxRequest, pk: int) -> HttpResponse:
    """Share with an e-mail address, without telling whether it has an account."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = MemberForm(request.POST)
    if form.is_valid():
        email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
        try:
            services.invite(datasource, email, role)
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            told = f"Shared with {email} as {role}. It takes effect once that address is confirmed."
            if request.htmx:
                return trigger_client_event(settings_page(request, datasource), "toast", {"text": told})
            messages.success(request, told)
            return redirect(PEOPLE(pk))
    return settings_page(request, datasource, member_form=form)


@login_required
@posted_from(PEOPLE)
def change_member(request: HtmxRequest, pk: int, user: int) -> HttpResponse:
    """Another role for a member, or none: the button says which."""
    datasource = datasource_for(request, pk, Role.OWNER)
    membership = get_object_or_404(datasource.memberships.select_related("user"), user_id=user)
    form = RoleForm(request.POST)
    if "remove" in request.POST:
        services.unshare(datasource, membership.user)
        messages.success(request, f"{membership.user} can no longer see “{datasource}”.")
    elif form.is_valid():
        role = Role(form.cleaned_data["role"])
        services.share(datasource, membership.user, role)
        messages.success(request, f"{membership.user} is now {role}.")
    return redirect(PEOPLE(pk))


@login_required
@posted_from(PEOPLE)
def change_invitation(request: HtmxRequest, pk: int, invitation: int) -> HttpResponse:
    """Another role for somebody who was invited, or none: the button says which."""
    datasource = datasource_for(request, pk, Role.OWNER)
    invited = get_object_or_404(datasource.invitations, pk=invitation)
    form = RoleForm(request.POST)
    if "remove" in request.POST:
        invited.delete()
        messages.success(request, f"{invited.email} is no longer invited.")
    elif form.is_valid():
        role = Role(form.cleaned_data["role"])
        services.invite(datasource, invited.email, role)
        messages.success(request, f"{invited.email} is now invited as {role}.")
    return redirect(PEOPLE(pk))
