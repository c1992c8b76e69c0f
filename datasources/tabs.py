"""The tabs above each page of a datasource: every app gives its own, as settings.DATASOURCE_TABS says."""

from dataclasses import dataclass

from django.urls import reverse

from datasources.models import Datasource
from datasources.registry import registered


class Tab:
    """A part of a datasource with a page of its own, named in the bar and in the command palette."""

    name: str
    label: str
    url: str  # the name of its address
    keys: str  # its shortcut
    icon: str
    palette_label: str = ""  # where the palette says more than the bar

    def shown(self, datasource: Datasource) -> bool:
        return True

    def count(self, datasource: Datasource) -> tuple[int, str] | None:
        """The number beside its name, and what it counts in words."""
        return None


class SettingsTab(Tab):
    name, label, url, keys, icon = "settings", "Settings", "datasource_settings", "g s", "settings"


@dataclass(frozen=True, slots=True, kw_only=True)
class TabLink:
    """A tab of one datasource, as components/tabs.html shows it."""

    label: str
    address: str
    keys: str
    count: int | None
    told: str
    current: bool


def tabs_of(datasource: Datasource) -> list[Tab]:
    """Those that this datasource has."""
    return [tab for tab in registered("DATASOURCE_TABS", Tab) if tab.shown(datasource)]


def tab_links(datasource: Datasource, current: str = "") -> list[TabLink]:
    """The tabs that this datasource has; `current` names the one that is open."""
    links = []
    for tab in tabs_of(datasource):
        count, told = tab.count(datasource) or (None, "")
        address = reverse(tab.url, args=[datasource.pk])
        is_current = tab.name == current
        links.append(
            TabLink(
                label=tab.label, address=address, keys=tab.keys, count=count, told=told, current=is_current
            )
        )
    return links
