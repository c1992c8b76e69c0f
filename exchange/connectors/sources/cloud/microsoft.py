"""Microsoft's clouds, and how an application signs in to them (client credentials of OAuth 2.0).

The address of a site or mail server says in which cloud it is.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

from exchange.connectors.sources.cloud.client import Tokens
from exchange.connectors.sources.source import SourceError
from localization.stored import said

NAME = "Microsoft 365"
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,99}")


@dataclass(frozen=True, slots=True)
class MicrosoftCloud:
    """sites: how the names of its sites end."""

    sites: str
    sign_in: str
    graph: str


CLOUDS = (
    MicrosoftCloud("sharepoint.com", "https://login.microsoftonline.com", "https://graph.microsoft.com"),
    MicrosoftCloud("sharepoint.us", "https://login.microsoftonline.us", "https://graph.microsoft.us"),
    MicrosoftCloud("sharepoint-mil.us", "https://login.microsoftonline.us", "https://dod-graph.microsoft.us"),
    MicrosoftCloud(
        "sharepoint.cn", "https://login.partner.microsoftonline.cn", "https://microsoftgraph.chinacloudapi.cn"
    ),
)
_GLOBAL, _GOVERNMENT, _DEFENCE, _CHINA = CLOUDS
MAIL_HOSTS = MappingProxyType(
    {
        "outlook.office365.com": _GLOBAL,
        "outlook.office365.us": _GOVERNMENT,
        "outlook-dod.office365.us": _DEFENCE,
        "partner.outlook.cn": _CHINA,
    }
)


def cloud_of_site(host: str) -> MicrosoftCloud | None:
    """None for what is no site of theirs."""
    name = host.lower()
    return next(
        (cloud for cloud in CLOUDS if re.fullmatch(rf"[a-z0-9-]+\.{re.escape(cloud.sites)}", name)), None
    )


class MicrosoftTokens(Tokens):
    """tenant: the firm's directory, by its number or name. secret: of the application."""

    def __init__(
        self,
        cloud: MicrosoftCloud,
        tenant: str,
        application: str,
        secret: str,
        should_stop: Callable[[], bool],
    ) -> None:
        super().__init__(NAME, should_stop)
        self._tenant, self._application, self._secret = tenant, application, secret
        self._sign_in = cloud.sign_in

    def token(self, scope: str) -> str:
        """Raises SourceError."""
        if not _TENANT.fullmatch(self._tenant):
            raise SourceError(
                "refused",
                said("{cloud} has no directory “{tenant}”.", cloud=NAME, tenant=self._tenant[:100]),
            )
        form = {
            "grant_type": "client_credentials",
            "client_id": self._application,
            "client_secret": self._secret,
            "scope": scope,
        }
        return self.asked(scope, f"{self._sign_in}/{self._tenant}/oauth2/v2.0/token", form)
