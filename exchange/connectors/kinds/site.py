"""A web site, or a part of one."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from exchange.connectors.kinds.addresses import as_one_writes, parts_of_address
from exchange.connectors.kinds.kind import FollowedKind, Kind, Off, Opening
from exchange.connectors.sources.site import SiteSource
from ingestion.web_pages.adding import OFF

if TYPE_CHECKING:
    from accounts.models import User

ADVICE = gettext_noop("Until then no web site is followed. What has come from one stays.")


def _why_off() -> Off | None:
    return None if settings.FETCH_WEB_PAGES else Off(OFF, ADVICE)


def _checked(place: str, by: "User") -> str:
    if off := _why_off():
        raise ValidationError(f"{gettext(off.message)} {gettext(off.hint)}", code="fetching_off")
    return as_one_writes(parts_of_address(place))


def _opened(how: Opening) -> SiteSource:
    return SiteSource(how.place, how.known_pages(), how.looked, how.should_stop)


SITE = FollowedKind(
    kind=Kind.SITE,
    label=_("Address of the site"),
    hint=_(
        "https://www.example.com, https://www.example.com/help for a part of it, or the address of a "
        "sitemap. Without a sitemap the pages are followed that its start page links to."
    ),
    check=_checked,
    open=_opened,
    why_off=_why_off,
    has_pages=True,
)
