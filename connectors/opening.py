"""The source that a connector stands for."""

from collections.abc import Callable

from connectors.models import Connector, Kind, parted
from connectors.sources.bucket import BucketSource
from connectors.sources.folder import FolderSource
from connectors.sources.mail_folder import MailSource
from connectors.sources.repository import GitSource
from connectors.sources.site import SiteSource
from connectors.sources.source import Source, SourceError
from connectors.sources.webdav import WebDavSource
from providers.connections.secrets import Unreadable, decrypted


def source_of(connector: Connector, should_stop: Callable[[], bool]) -> Source:
    """should_stop: whether nobody waits for it any more, which ends a request. Raises SourceError."""
    if connector.kind == Kind.FOLDER:
        return FolderSource(connector.place)
    if connector.kind == Kind.SITE:
        return SiteSource(connector.place, _known_pages(connector), connector.looked, should_stop)
    try:
        secret = decrypted(connector.encrypted_secret)
    except Unreadable:
        raise SourceError(
            "secret",
            "Its password can't be read any more: this server's secret key has changed.",
            "Enter the password again.",
        ) from None
    if connector.kind == Kind.WEBDAV:
        return WebDavSource(connector.place, connector.user_name, secret, should_stop)
    if connector.kind == Kind.MAIL:
        return MailSource(connector.place, connector.user_name, secret, should_stop)
    if connector.kind == Kind.GIT:
        return GitSource(connector.place, connector.user_name, secret, should_stop)
    if connector.kind == Kind.S3:
        return BucketSource(connector.place, connector.user_name, secret, connector.region, should_stop)
    raise SourceError("kind", f"SVQ follows no folders of the kind “{connector.kind}”.", "Disconnect it.")


def _known_pages(connector: Connector) -> set[str]:
    """Without the paths of what another page has taken the place of: no page has them."""
    rows = connector.files.kept().values_list("path", "document")
    return {path for path, document in rows if not path.endswith(parted(document))}
