"""A folder of this server, also one that is mounted."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from exchange.connectors.kinds.kind import FollowedKind, Kind, Off, Opening
from exchange.connectors.sources.folder import FolderSource, released

if TYPE_CHECKING:
    from accounts.models import User


OFF = gettext_noop(
    "No folder of this server may be followed. Its administrator can allow some (SVQ_CONNECTOR_FOLDERS); "
    "SVQ reads that when it starts."
)
ADVICE = gettext_noop("Until then no folder is followed. What has come from one stays.")


def _why_off() -> Off | None:
    return None if settings.CONNECTOR_FOLDERS else Off(OFF, ADVICE)


def checked_folder(place: str, by: "User") -> str:
    """Raises ValidationError."""
    if not by.is_superuser:
        raise ValidationError(
            _("Folders of this server are connected by administrators alone."), code="administrators"
        )
    path = released(place)
    if path is None:
        raise ValidationError(
            _(
                "This server has no such folder, or its administrator has not allowed it "
                "(SVQ_CONNECTOR_FOLDERS; SVQ reads that when it starts)."
            ),
            code="place",
        )
    return str(path)


def _opened(how: Opening) -> FolderSource:
    return FolderSource(how.place)


def _of_server(place: str) -> bool:
    return True


FOLDER = FollowedKind(
    kind=Kind.FOLDER,
    label=_("Folder"),
    hint=_("A path on this server, in one of the folders that its administrator allows."),
    check=checked_folder,
    open=_opened,
    is_of_server=_of_server,
    why_off=_why_off,
)
