"""The address of a server that an owner names, looked up once: what connects there uses it as it is."""

import socket

from django.utils.translation import gettext as _

from exchange.connectors.sources.source import UNREACHABLE, SourceError
from providers.connections.services import owners_may
from providers.http.public_addresses import NOT_PUBLIC
from providers.http.special_addresses import is_public


def address_of(host: str, port: int, *, unknown: str) -> str:
    """unknown: what is said of a name that nobody knows. Raises SourceError for that, and for addresses that
    are not public, unless administrators allow them.
    """
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise SourceError(UNREACHABLE, unknown) from None
    addresses = [str(row[4][0]) for row in rows]
    if not owners_may().private_connectors and not all(map(is_public, addresses)):
        raise SourceError("private", _(NOT_PUBLIC))
    return addresses[0]
