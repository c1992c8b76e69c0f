"""Sharing a datasource: who is added, gets another role, or is taken away."""

from functools import partial

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django_htmx.http import trigger_client_event

from accounts.audit import made_in_audit_log
from datasources import services
from datasources.models import Datasource, Role
from datasources.noting import note_shared
from datasources.settings.sections import page_of_section
from datasources.settings.views import section_page
from datasources.web.forms import GroupForm, MemberForm, RoleForm, refuse
from datasources.web.pages import HtmxRequest, datasource_for, posted_from
from settings_pages.saving import Save, save_fields

PEOPLE = page_of_section("people")


@login_required
@posted_from(PEOPLE)
def add_member(request: HtmxRequest, pk: int) -> HttpResponse:
    """Share with an e-mail address, without telling whether it has an account."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = MemberForm(request.POST)
    if form.is_valid():
        email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
        try:
            shared = services.invite(datasource, email, role)
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            note_shared(request, shared)
            told = _("Shared with {email} as {role}. It takes effect once that address is confirmed.").format(
                email=email, role=role.shown
            )
            if request.htmx:
                return trigger_client_event(
                    section_page(request, datasource, "people"), "toast", {"text": told}
                )
            messages.success(request, told)
            return redirect(PEOPLE(pk))
    return section_page(request, datasource, "people", member_form=form)


@login_required
@posted_from(PEOPLE)
def change_member(request: HtmxRequest, pk: int, user: int) -> HttpResponse:
    """Another role for a member, or none: a button says so."""
    datasource = datasource_for(request, pk, Role.OWNER)
    membership = get_object_or_404(datasource.memberships.select_related("user"), user_id=user)
    if "remove" in request.POST:
        services.unshare(datasource, membership.user)
        still = datasource.allows(membership.user, Role.ASKER)
        told = (
            _("{person} still sees “{datasource}” by a group.")
            if still
            else _("{person} can no longer see “{datasource}”.")
        )
        messages.success(request, told.format(person=membership.user, datasource=datasource))
        return redirect(PEOPLE(pk))
    return _save_role(
        request, datasource, membership.role, partial(services.share, datasource, membership.user)
    )


@login_required
@posted_from(PEOPLE)
def change_invitation(request: HtmxRequest, pk: int, invitation: int) -> HttpResponse:
    """Another role for somebody who was invited, or none: a button says so."""
    datasource = datasource_for(request, pk, Role.OWNER)
    invited = get_object_or_404(datasource.invitations, pk=invitation)
    if "remove" in request.POST:
        invited.delete()
        messages.success(request, _("{email} is no longer invited.").format(email=invited.email))
        return redirect(PEOPLE(pk))
    return _save_role(request, datasource, invited.role, partial(services.invite, datasource, invited.email))


@login_required
@posted_from(PEOPLE)
def share_with_group(request: HtmxRequest, pk: int) -> HttpResponse:
    """A group that has a role already gets the new one."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = GroupForm(request.POST)
    if not form.is_valid():
        return section_page(request, datasource, "people", group_form=form)
    group, role = form.cleaned_data["group"], Role(form.cleaned_data["role"])
    services.share_with_group(datasource, group, role)
    made_in_audit_log(request, "group of people", [group.pk], pk)
    messages.success(request, _("Shared with {group} as {role}.").format(group=group, role=role.shown))
    return redirect(PEOPLE(pk))


@login_required
@posted_from(PEOPLE)
def change_group_share(request: HtmxRequest, pk: int, group: int) -> HttpResponse:
    """Another role for a group, or none: a button says so."""
    datasource = datasource_for(request, pk, Role.OWNER)
    shared = get_object_or_404(datasource.group_shares.select_related("group"), group_id=group)
    if "remove" in request.POST:
        shared.delete()
        messages.success(request, _("No longer shared with {group}.").format(group=shared.group))
        return redirect(PEOPLE(pk))
    return _save_role(
        request, datasource, shared.role, partial(services.share_with_group, datasource, shared.group)
    )


def _save_role(request: HtmxRequest, datasource: Datasource, now: str, give: Save) -> HttpResponse:
    """`give` gets the role."""

    def page(form: forms.BaseForm) -> HttpResponse:
        for refused in form.errors.values():
            messages.error(request, str(refused[0]))
        return section_page(request, datasource, "people")

    return save_fields(
        request,
        RoleForm(request.POST, initial={"role": now}),
        lambda role: give(role=Role(role)),
        page=page,
        back=PEOPLE(datasource.pk),
    )
