"""A folder of Google Drive, or a shared drive."""

import re
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from exchange.connectors.kinds.kind import FollowedKind, Kind, Opening
from exchange.connectors.sources.cloud.google import DRIVE_SCOPE, GoogleTokens
from exchange.connectors.sources.cloud.google_drive import GoogleDriveSource

if TYPE_CHECKING:
    from accounts.models import User

_FOLDER = re.compile(r"https://drive\.google\.com/drive/(?:u/\d+/)?folders/([\w-]{10,100})/?(?:\?.*)?")


def _checked(place: str, by: "User") -> str:
    found = _FOLDER.fullmatch(place)
    if found is None:
        raise ValidationError(
            _(
                "Give the address of a folder or of a shared drive, as the browser shows it: "
                "https://drive.google.com/drive/folders/ and its number."
            ),
            code="place",
        )
    return f"https://drive.google.com/drive/folders/{found[1]}"


def _opened(how: Opening) -> GoogleDriveSource:
    tokens = GoogleTokens(how.secret, how.user_name, DRIVE_SCOPE, how.should_stop)
    return GoogleDriveSource(how.place.rpartition("/")[2], tokens, how.should_stop)


GOOGLE_DRIVE = FollowedKind(
    kind=Kind.GOOGLE_DRIVE,
    label=_("Address of the folder or shared drive"),
    hint=_(
        "As the browser shows it: https://drive.google.com/drive/folders/ and its number. Share it with the "
        "service account’s address, or let the account act for a person who may read it."
    ),
    asks={
        "secret": _("Key of the service account (JSON)"),
        "user_name": _("On behalf of (address of a person, if the account may act for people)"),
    },
    needed=frozenset({"secret"}),
    check=_checked,
    open=_opened,
    tells_readers=True,
)
