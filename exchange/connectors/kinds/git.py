"""A branch of a Git repository, or a folder in it."""

from typing import TYPE_CHECKING
from urllib.parse import quote

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from exchange.connectors.kinds.addresses import PLAIN, as_one_writes, parts_of_address
from exchange.connectors.kinds.folder import checked_folder
from exchange.connectors.kinds.kind import FollowedKind, Kind, Opening
from exchange.connectors.sources.places import BRANCH, parts_of
from exchange.connectors.sources.repository import GitSource

if TYPE_CHECKING:
    from accounts.models import User


def _checked(place: str, by: "User") -> str:
    address, branch, below = parts_of(place)
    parts = [part for part in below.split("/") if part]
    is_path = below.isprintable() and not any(part in (".", "..") for part in parts)
    if (branch and not BRANCH.fullmatch(branch)) or not is_path:
        raise ValidationError(
            _(
                "Give the branch after the address, and a folder after that: address#branch or "
                "address#branch:folder."
            ),
            code="place",
        )
    where = checked_folder(address, by) if _of_server(address) else as_one_writes(parts_of_address(address))
    within = f":{quote('/'.join(parts), PLAIN)}" if parts else ""
    return f"{where}#{branch}{within}" if branch or within else where


def _opened(how: Opening) -> GitSource:
    return GitSource(how.place, how.user_name, how.secret, how.should_stop)


def _of_server(place: str) -> bool:
    return place.startswith("/")


GIT = FollowedKind(
    kind=Kind.GIT,
    label=_("Address of the repository"),
    hint=_(
        "https://git.example/firm/matters.git for all files of the usual branch. Narrow it after a #: "
        "#branch for another branch, #branch:folder for a folder of it, #:folder for a folder of the usual "
        "one."
    ),
    asks={
        "user_name": _("User name"),
        "secret": _("Access token, best one that may only read; none for a public repository"),
    },
    check=_checked,
    open=_opened,
    is_of_server=_of_server,
)
