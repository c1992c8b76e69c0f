"""A folder on a WebDAV server."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from exchange.connectors.kinds.addresses import as_one_writes, parts_of_address
from exchange.connectors.kinds.kind import FollowedKind, Kind, Opening
from exchange.connectors.sources.webdav import WebDavSource

if TYPE_CHECKING:
    from accounts.models import User


def _checked(place: str, by: "User") -> str:
    return as_one_writes(parts_of_address(place))


def _opened(how: Opening) -> WebDavSource:
    return WebDavSource(how.place, how.user_name, how.secret, how.should_stop)


WEBDAV = FollowedKind(
    kind=Kind.WEBDAV,
    label=_("Address of the folder"),
    hint=_(
        "In Nextcloud, under “Files settings”: https://cloud.example/remote.php/dav/files/NAME/, and then "
        "the folder."
    ),
    asks={"user_name": _("User name"), "secret": _("Password or app password")},
    check=_checked,
    open=_opened,
)
