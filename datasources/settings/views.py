"""The settings of a datasource: how all sections stand, a page for each, and what saves a field."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_safe

from datasources import services
from datasources.models import Datasource, Role
from datasources.settings.frame import frame_of, panels_of, role_of, sections_for
from datasources.settings.own_panels import SECTION_OF_FIELD
from datasources.settings.sections import section_named
from datasources.web.forms import FIELD_OF_CODE, DatasourceForm, focus_first_error
from datasources.web.pages import (
    HtmxRequest,
    datasource_for,
    page_of_datasource,
    posted_from,
)
from settings_pages.saving import save_fields
from settings_pages.search import Place, Setting, find_settings

NEW_LINK = "new_join_link"  # in the session, from the form to the page that shows the link, once


@login_required
@require_safe
def datasource_settings(request: HtmxRequest, pk: int) -> HttpResponse:
    """How each section stands; ?q= finds settings by their words."""
    datasource = datasource_for(request, pk)
    role = role_of(request, datasource)
    typed = request.GET.get("q", "").strip()
    found = {"typed": typed, "found_settings": find_settings(settings_of(datasource, role), typed)}
    if request.htmx:
        return render(request, "settings_pages/_found.html", found)
    cards = [
        (link, " ".join(filter(None, (panel.state(datasource, role) for panel in link.panels))))
        for link in sections_for(datasource, role)
    ]
    return render(
        request,
        "datasources/settings/overview.html",
        {**frame_of(request, datasource), **found, "cards": cards},
    )


@login_required
@require_safe
def settings_section(request: HtmxRequest, pk: int, section: str) -> HttpResponse:
    """Everybody sees the settings; the owner changes them."""
    needed = Role.OWNER if section_named(section).for_owner else Role.VIEWER
    datasource = datasource_for(request, pk, needed)
    new = request.session.get(NEW_LINK, {})
    if section != "people" or new.get("datasource") != pk or request.method != "GET":
        return section_page(request, datasource, section)
    del request.session[NEW_LINK]
    return section_page(request, datasource, section, also={"join_address": new["address"]})


@login_required
@posted_from(page_of_datasource("datasource_settings"))
def save_setting(request: HtmxRequest, pk: int) -> HttpResponse:
    """One field of the datasource, or those of its splitting, which go together."""
    datasource = datasource_for(request, pk, Role.OWNER)
    section = SECTION_OF_FIELD.get(request.POST.get("field", ""), "general")

    def page(refused: forms.BaseForm) -> HttpResponse:
        datasource.refresh_from_db()  # the form has written the refused values into it
        return section_page(request, datasource, section, form=refused)

    answer = save_fields(
        request,
        DatasourceForm(request.POST, instance=datasource),
        partial(services.change_datasource, datasource),
        page=page,
        back=reverse("settings_section", args=[pk, section]),
        codes=FIELD_OF_CODE,
    )
    if request.htmx and answer.status_code == 200 and "name" in request.POST.getlist("field"):
        answer.write(render_to_string("datasources/settings/_renamed.html", {"datasource": datasource}))
    return answer


def section_page(
    request: HtmxRequest,
    datasource: Datasource,
    name: str,
    *,
    also: Mapping[str, Any] | None = None,
    **refused: Any,
) -> HttpResponse:
    """The page of a section, with forms that were refused in place of fresh ones. also: what is shown this
    once.
    """
    for form in refused.values():
        focus_first_error(form)
    panels = panels_of(name)
    context = frame_of(request, datasource, name) | {"panels": panels}
    for panel in panels:
        context |= panel.context(datasource)
    is_refused = any(form.errors for form in refused.values())
    return render(
        request,
        "datasources/settings/section.html",
        {**context, **(also or {}), **refused},
        status=422 if is_refused else 200,
    )


def settings_of(datasource: Datasource, role: Role) -> list[Setting]:
    """All that can be found by somebody with that role."""
    return [
        setting
        for link in sections_for(datasource, role)
        for panel in link.panels
        for setting in panel.settings(datasource, Place(name=str(link.section.label), address=link.address))
    ]
