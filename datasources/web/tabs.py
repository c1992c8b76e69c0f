"""The tabs of each page of a datasource: every app gives its own, as settings.DATASOURCE_TABS says."""

from dataclasses import dataclass
from enum import Enum, auto

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from datasources.models import Datasource, Role, is_at_least
from datasources.registry import registered
from localization.promises import StrOrPromise


class Place(Enum):
    """Where the bar of a datasource offers a part of it."""

    TAB = auto()
    MORE = auto()  # in the menu behind the tabs
    GEAR = auto()  # beside the datasource's name


class Tab:
    """A part of a datasource with a page of its own, named in the bar and in the command palette."""

    name: str
    label: StrOrPromise
    url: str  # the name of its address
    keys: str  # its shortcut
    icon: str
    palette_label: StrOrPromise = ""  # where the palette says more than the bar
    place: Place = Place.TAB
    help: StrOrPromise = ""  # one line, where it is in a menu
    needed: Role = Role.VIEWER  # the lowest role that may open it
    fits_phone: bool = True  # a phone's bar has room for four tabs; its menu has the others

    def shown(self, datasource: Datasource) -> bool:
        return True

    def count(self, datasource: Datasource) -> tuple[int, str] | None:
        """The number beside its name, and what it counts in words."""
        return None


class SettingsTab(Tab):
    name, label, url = "settings", _("Settings"), "datasource_settings"
    keys, icon = "g ,", "sliders-horizontal"
    place, fits_phone = Place.GEAR, False


@dataclass(frozen=True, slots=True, kw_only=True)
class TabLink:
    """A tab of one datasource, as components/tabs.html shows it."""

    tab: Tab
    address: str
    count: int | None
    told: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Navigation:
    """All tabs of one datasource, in their order."""

    links: tuple[TabLink, ...]

    def _placed(self, place: Place) -> list[TabLink]:
        return [link for link in self.links if link.tab.place == place]

    @property
    def bar(self) -> list[TabLink]:
        return self._placed(Place.TAB)

    @property
    def more(self) -> list[TabLink]:
        return self._placed(Place.MORE)

    @property
    def gear(self) -> list[TabLink]:
        return self._placed(Place.GEAR)

    @property
    def phone(self) -> list[TabLink]:
        """In the bar of a phone."""
        return [link for link in self.bar if link.tab.fits_phone]

    @property
    def only_in_phones_menu(self) -> list[TabLink]:
        return [link for link in self.bar if not link.tab.fits_phone]

    @property
    def has_menu(self) -> bool:
        """Whether there is anything behind “More”, on a phone or elsewhere."""
        return bool(self.more or self.only_in_phones_menu or self.gear)

    @property
    def opened_in_more(self) -> TabLink | None:
        return next((link for link in self.more if link.current), None)

    @property
    def is_in_phones_menu(self) -> bool:
        """Whether the page that is open is one that a phone's menu leads to."""
        return any(link.current for link in self.links if link not in self.phone)


def tabs_of(datasource: Datasource) -> list[Tab]:
    """Those that this datasource has, for the person for whom it was looked up."""
    return [
        tab
        for tab in registered("DATASOURCE_TABS", Tab)
        if is_at_least(datasource.seen_as or Role.VIEWER, tab.needed) and tab.shown(datasource)
    ]


def navigation(datasource: Datasource, current: str = "") -> Navigation:
    """The tabs that this datasource has; `current` names the one that is open."""
    links = []
    for tab in tabs_of(datasource):
        count, told = tab.count(datasource) or (None, "")
        address = reverse(tab.url, args=[datasource.pk])
        links.append(TabLink(tab=tab, address=address, count=count, told=told, current=tab.name == current))
    return Navigation(links=tuple(links))
