"""A library of SharePoint, a OneDrive, or a folder in one, by Microsoft Graph."""

from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from exchange.connectors.kinds.addresses import as_one_writes, parts_of_address
from exchange.connectors.kinds.kind import FollowedKind, Kind, Opening
from exchange.connectors.sources.cloud.microsoft import MicrosoftTokens, cloud_of_site
from exchange.connectors.sources.cloud.sharepoint import SharePointSource

if TYPE_CHECKING:
    from accounts.models import User


def _checked(place: str, by: "User") -> str:
    """What people copy from their browser has the page of the library at its end, and the folder after a
    question mark.
    """
    address, _sign, question = place.partition("#")[0].partition("?")
    parts = parts_of_address(address)
    folder = parse_qs(question).get("id", [""])[0]
    if folder.startswith("/"):
        parts = parts._replace(path=folder)
    if parts.scheme != "https" or parts.port is not None or cloud_of_site(str(parts.hostname)) is None:
        raise ValidationError(
            _(
                "Give the address of a library or a folder at SharePoint or OneDrive, such as "
                "https://firm.sharepoint.com/sites/Matters/Shared%20Documents/Arden."
            ),
            code="place",
        )
    return as_one_writes(parts).removesuffix("/Forms/AllItems.aspx")


def _opened(how: Opening) -> SharePointSource:
    cloud = cloud_of_site(how.place.split("/")[2])
    assert cloud is not None
    tokens = MicrosoftTokens(cloud, how.tenant, how.application, how.secret, how.should_stop)
    return SharePointSource(how.place, cloud, tokens, how.should_stop)


SHAREPOINT = FollowedKind(
    kind=Kind.SHAREPOINT,
    label=_("Address of the library or folder"),
    hint=_(
        "As the browser shows it: https://firm.sharepoint.com/sites/Matters/Shared%20Documents, then the "
        "folder. An administrator of Microsoft 365 registers an application that may read it "
        "(Sites.Read.All, or Sites.Selected for this site)."
    ),
    asks={
        "tenant": _("Directory (tenant) ID"),
        "application": _("Application (client) ID"),
        "secret": _("Client secret"),
    },
    needed=frozenset({"tenant", "application", "secret"}),
    check=_checked,
    open=_opened,
    tells_readers=True,
)
