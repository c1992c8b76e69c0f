"""The source that a connector stands for."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from exchange.connectors.kinds.kind import Opening
from exchange.connectors.kinds.registry import known
from exchange.connectors.models import Connector, parted
from exchange.connectors.sources.source import Source, SourceError
from localization.stored import said
from providers.connections.secrets import Unreadable, decrypted


def source_of(connector: Connector, should_stop: Callable[[], bool]) -> Source:
    """should_stop: whether nobody waits for it any more, which ends a request. Raises SourceError."""
    kind = known(connector.kind)
    if kind is None:
        raise SourceError(
            "kind",
            said("SVQ follows nothing of the kind “{kind}”.", kind=connector.kind),
            _("Disconnect it."),
        )
    try:
        secret = decrypted(connector.encrypted_secret)
    except Unreadable:
        raise SourceError(
            "secret",
            _("Its password can't be read any more: this server's secret key has changed."),
            _("Enter the password again."),
        ) from None
    return kind.open(
        Opening(
            place=connector.place,
            user_name=connector.user_name,
            secret=secret,
            region=connector.region,
            tenant=connector.tenant,
            application=connector.application,
            looked=connector.looked,
            known_pages=lambda: _known_pages(connector),
            should_stop=should_stop,
        )
    )


def _known_pages(connector: Connector) -> set[str]:
    """Without the paths of what another page has taken the place of: no page has them."""
    rows = connector.files.kept().values_list("path", "document")
    return {path for path, document in rows if not path.endswith(parted(document))}
