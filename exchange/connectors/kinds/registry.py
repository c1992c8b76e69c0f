"""Which file a kind is declared in."""

from exchange.connectors.kinds.bucket import BUCKET
from exchange.connectors.kinds.folder import FOLDER
from exchange.connectors.kinds.git import GIT
from exchange.connectors.kinds.google_drive import GOOGLE_DRIVE
from exchange.connectors.kinds.kind import FollowedKind
from exchange.connectors.kinds.mail import EXCHANGE, GMAIL, MAIL
from exchange.connectors.kinds.sharepoint import SHAREPOINT
from exchange.connectors.kinds.site import SITE
from exchange.connectors.kinds.webdav import WEBDAV

ALL = (WEBDAV, BUCKET, MAIL, SITE, GIT, SHAREPOINT, GOOGLE_DRIVE, EXCHANGE, GMAIL, FOLDER)
_BY_KIND: dict[str, FollowedKind] = {each.kind: each for each in ALL}
TELLING_READERS = [each.kind for each in ALL if each.tells_readers]


def known(value: str) -> FollowedKind | None:
    """None for one that a later version of SVQ has written."""
    return _BY_KIND.get(value)


def kind_of(value: str) -> FollowedKind:
    """Raises KeyError."""
    return _BY_KIND[value]
