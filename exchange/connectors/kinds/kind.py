"""The list of kinds, and what has to be said of one. All else of a kind is in its own file here."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db import models
from django.utils.translation import gettext_lazy as _

from exchange.connectors.sources.source import Source
from localization.promises import StrOrPromise

if TYPE_CHECKING:
    from accounts.models import User


class Kind(models.TextChoices):
    """Where the files lie."""

    FOLDER = "folder", _("A folder of this server")
    WEBDAV = "webdav", _("WebDAV, such as Nextcloud")
    S3 = "s3", _("A bucket (S3)")
    MAIL = "imap", _("A mail folder (IMAP)")
    SITE = "site", _("A web site")
    GIT = "git", _("A Git repository")
    SHAREPOINT = "onedrive", _("SharePoint or OneDrive")
    GOOGLE_DRIVE = "gdrive", _("Google Drive")
    EXCHANGE = "exchange", _("Mail of Microsoft 365")
    GMAIL = "gmail", _("Mail of Google")


def _nothing_known() -> Collection[str]:
    return ()


def _goes_on() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """All that is needed to look at a place. known_pages: paths that are here; looked: when the last look
    came to its end. should_stop: whether nobody waits for it any more, which ends a request.
    """

    place: str
    user_name: str = ""
    secret: str = ""
    region: str = ""
    tenant: str = ""
    application: str = ""
    looked: datetime | None = None
    known_pages: Callable[[], Collection[str]] = _nothing_known
    should_stop: Callable[[], bool] = _goes_on


def _elsewhere(place: str) -> bool:
    return False


class Off(NamedTuple):
    """Why none of a kind is followed for now: English, marked for translation."""

    message: str
    hint: str


def _is_on() -> Off | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedKind:
    """label, hint: what the field for the address is called, and what is said below it. asks: the further
    fields, with what each is called. needed: those of them that may not be empty.

    check: the place as it is kept; raises ValidationError. open: its source.
    """

    kind: Kind
    label: StrOrPromise
    hint: StrOrPromise
    asks: Mapping[str, StrOrPromise] = field(default_factory=dict)
    needed: frozenset[str] = frozenset()
    check: Callable[[str, "User"], str]
    open: Callable[[Opening], Source]
    is_of_server: Callable[[str], bool] = _elsewhere  # a place that administrators alone may follow
    why_off: Callable[[], Off | None] = _is_on
    has_pages: bool = False  # of which several may become the same, as one that asks to sign in
    tells_readers: bool = False  # the source says who may read each file, see exchange.connectors.readers
