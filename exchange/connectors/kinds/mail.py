"""Folders of mails: on any server with a password, or at Microsoft and Google, who take none."""

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from exchange.connectors.kinds.addresses import MAIL as SCHEMES
from exchange.connectors.kinds.addresses import as_one_writes, parts_of_address
from exchange.connectors.kinds.kind import FollowedKind, Kind, Opening
from exchange.connectors.sources.cloud.google import GMAIL_SCOPE, GoogleTokens
from exchange.connectors.sources.cloud.microsoft import MAIL_HOSTS, MicrosoftTokens
from exchange.connectors.sources.mail_folder import MailSource
from localization.lists import either

if TYPE_CHECKING:
    from accounts.models import User

GMAIL_HOST = "imap.gmail.com"


def _checked(place: str, by: "User") -> str:
    return as_one_writes(parts_of_address(place, SCHEMES))


def _checked_exchange(place: str, by: "User") -> str:
    return _checked_cloud(place, tuple(MAIL_HOSTS))


def _checked_gmail(place: str, by: "User") -> str:
    return _checked_cloud(place, (GMAIL_HOST,))


def _checked_cloud(place: str, hosts: tuple[str, ...]) -> str:
    """A token goes to the server alone that it is for. Raises ValidationError."""
    parts = parts_of_address(place, SCHEMES)
    if parts.hostname not in hosts or parts.scheme != "imaps" or parts.port not in (None, 993):
        said = either([f"imaps://{host}" for host in hosts])
        raise ValidationError(
            _("Give an address that begins with {address}.").format(address=said), code="place"
        )
    return as_one_writes(parts)


def _opened(how: Opening) -> MailSource:
    return MailSource(how.place, how.user_name, how.secret, how.should_stop)


def _opened_exchange(how: Opening) -> MailSource:
    host = how.place.split("/")[2]
    tokens = MicrosoftTokens(MAIL_HOSTS[host], how.tenant, how.application, how.secret, how.should_stop)
    return MailSource(
        how.place, how.user_name, "", how.should_stop, token=lambda: tokens.token(f"https://{host}/.default")
    )


def _opened_gmail(how: Opening) -> MailSource:
    tokens = GoogleTokens(how.secret, how.user_name, GMAIL_SCOPE, how.should_stop)
    return MailSource(how.place, how.user_name, "", how.should_stop, token=tokens.token)


MAIL = FollowedKind(
    kind=Kind.MAIL,
    label=_("Address of the mail folder"),
    hint=_(
        "imaps://mail.example/INBOX, or another folder’s name in place of INBOX; with /* at the end the "
        "folders in it, too. Each mail becomes a document, with its attachments; none is marked as read "
        "there."
    ),
    asks={"user_name": _("User name"), "secret": _("Password or app password")},
    needed=frozenset({"user_name", "secret"}),
    check=_checked,
    open=_opened,
)
EXCHANGE = FollowedKind(
    kind=Kind.EXCHANGE,
    label=_("Address of the mail folder"),
    hint=_(
        "imaps://outlook.office365.com/INBOX, or another folder’s name in place of INBOX; with /* at the end "
        "the folders in it, too. An administrator of Microsoft 365 registers an application that may read "
        "this mailbox (IMAP.AccessAsApp)."
    ),
    asks={
        "user_name": _("Mailbox"),
        "tenant": _("Directory (tenant) ID"),
        "application": _("Application (client) ID"),
        "secret": _("Client secret"),
    },
    needed=frozenset({"user_name", "tenant", "application", "secret"}),
    check=_checked_exchange,
    open=_opened_exchange,
)
GMAIL = FollowedKind(
    kind=Kind.GMAIL,
    label=_("Address of the mail folder"),
    hint=_(
        "imaps://imap.gmail.com/INBOX, or another folder’s name in place of INBOX; with /* at the end the "
        "folders in it, too. An administrator of Google Workspace lets a service account act for the mailbox "
        "(domain-wide delegation, https://mail.google.com/)."
    ),
    asks={"user_name": _("Mailbox"), "secret": _("Key of the service account (JSON)")},
    needed=frozenset({"user_name", "secret"}),
    check=_checked_gmail,
    open=_opened_gmail,
)
