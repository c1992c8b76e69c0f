"""Inviting by a link, in the settings of a datasource."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from datasources import join_links
from datasources.models import Role
from datasources.settings.sections import page_of_section
from datasources.settings.views import NEW_LINK, section_page
from datasources.web.forms import JoinLinkForm, refuse
from datasources.web.pages import HtmxRequest, datasource_for, posted_from, signed_in

PEOPLE = page_of_section("people", "#links")


@login_required
@posted_from(PEOPLE)
def make_join_link(request: HtmxRequest, pk: int) -> HttpResponse:
    """The page shows the link once, unless it was mailed. A reload sends no form again."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = JoinLinkForm(request.POST, prefix="link")
    if form.is_valid():
        given = form.cleaned_data
        try:
            made = join_links.make_join_link(
                datasource,
                Role(given["role"]),
                by=signed_in(request),
                days=int(given["days"]),
                email=given["email"],
            )
        except ValidationError as refusal:
            refuse(form, refusal, {"days": "days"})
        else:
            if made.mailed:
                messages.success(
                    request, _("The invitation is on its way to {email}.").format(email=given["email"])
                )
            else:
                request.session[NEW_LINK] = {"datasource": pk, "address": made.shown(request)}
            return redirect(PEOPLE(pk))
    return section_page(request, datasource, "people", join_link_form=form)


@login_required
@posted_from(PEOPLE)
def withdraw_join_link(request: HtmxRequest, pk: int, link: int) -> HttpResponse:
    """Also one that was used or has expired, which only leaves the list."""
    datasource = datasource_for(request, pk, Role.OWNER)
    join_links.withdraw(get_object_or_404(datasource.join_links, pk=link), by=signed_in(request))
    messages.success(request, _("The invitation is withdrawn."))
    return redirect(PEOPLE(pk))
