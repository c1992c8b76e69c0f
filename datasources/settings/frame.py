"""What stands around each page of a datasource's settings: its tabs, the sections, and where one is."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from datasources.models import Datasource, Role
from datasources.settings.own_panels import OWN_PANELS
from datasources.settings.panels import SettingsPanel, registered_panels
from datasources.settings.sections import SECTIONS, Section, section_named
from datasources.web.pages import HtmxRequest, bar, can_edit, signed_in


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionLink:
    """A section as pages offer it; `anchors` are the ids of its parts, which older links name."""

    section: Section
    address: str
    anchors: list[str]
    panels: list[SettingsPanel]


def frame_of(
    request: HtmxRequest, datasource: Datasource, section: str = "", page: str = "", address: str = ""
) -> dict[str, Any]:
    """The context of "datasources/settings/section.html". section: the name of the one that is open; none on
    the page of all. page: how one below it is called; address: where that is, if it is another one.
    """
    role = role_of(request, datasource)
    return {
        **bar(datasource, "settings"),
        "sections": sections_for(datasource, role),
        "section": section_named(section) if section else None,
        "page_below": page,
        "page_below_address": address,
        "settings_home": reverse("datasource_settings", args=[datasource.pk]),
        "role": role,
        "is_owner": role == Role.OWNER and not datasource.archived,
        "can_edit": can_edit(request, datasource),
    }


def role_of(request: HtmxRequest, datasource: Datasource) -> Role:
    role = datasource.role_of(signed_in(request))
    assert role, "Only members come here."
    return role


def panels_of(section: str) -> list[SettingsPanel]:
    return [panel for panel in (*OWN_PANELS, *registered_panels()) if panel.section == section]


def sections_for(datasource: Datasource, role: Role) -> list[SectionLink]:
    """Those that somebody with that role is offered; while it is archived few of the owner's."""
    return [
        SectionLink(
            section=section,
            address=reverse("settings_section", args=[datasource.pk, section.name]),
            anchors=[section.name, *(panel.anchor for panel in panels_of(section.name))],
            panels=panels_of(section.name),
        )
        for section in SECTIONS
        if not section.for_owner
        or (role == Role.OWNER and (section.while_archived or not datasource.archived))
    ]
