"""The sections of a datasource's settings, each a page."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.urls.converters import StringConverter
from django.utils.translation import gettext_lazy as _

from localization.promises import StrOrPromise


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """`name` is in its address; what is `for_owner` nobody else is offered, and `while_archived` alone also
    then.
    """

    name: str
    label: StrOrPromise
    icon: str
    lead: StrOrPromise
    for_owner: bool = False
    while_archived: bool = False


SECTIONS = (
    Section(
        name="general",
        label=_("General"),
        icon="sliders-horizontal",
        lead=_("Its name and how much it holds."),
    ),
    Section(name="people", label=_("People"), icon="users", lead=_("Who sees it, and what they may do.")),
    Section(name="reading", label=_("Reading"), icon="book-open", lead=_("How files are read and split.")),
    Section(
        name="answers", label=_("Answers"), icon="message-square-text", lead=_("How questions are answered.")
    ),
    Section(name="models", label=_("Models"), icon="cpu", lead=_("Which model does what, at what cost.")),
    Section(
        name="graph", label=_("Graph"), icon="waypoints", lead=_("Who reads for it, and what that costs.")
    ),
    Section(
        name="webhooks",
        label=_("Connections"),
        icon="send",
        lead=_("Follow folders elsewhere, take it along as one file, tell other servers what happens here."),
        for_owner=True,
        while_archived=True,
    ),
    Section(
        name="danger",
        label=_("Danger"),
        icon="triangle-alert",
        lead=_("What cannot be undone."),
        for_owner=True,
    ),
)


class SectionConverter(StringConverter):
    """Only the names of sections, so that other addresses below the settings stay free."""

    regex = "|".join(section.name for section in SECTIONS)


def section_named(name: str) -> Section:
    return next(section for section in SECTIONS if section.name == name)


def page_of_section(name: str, anchor: str = "") -> Callable[..., str]:
    """The address of that section of the datasource `pk`, for `posted_from`."""
    return lambda pk, **_: reverse("settings_section", args=[pk, name]) + anchor
