"""Which addresses the server may fetch: public ones, each looked up only once."""

import re
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, urlsplit

from django.utils.translation import gettext_noop

from ingestion.web_pages.errors import FetchError
from localization.stored import said
from providers.http.special_addresses import is_public

LONGEST = 2000  # characters of an address
PORTS = (80, 443, 8080, 8443)
_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where one request goes. host: as it stands in the address; ips: what it stands for, all allowed."""

    address: str
    host: str
    port: int
    is_tls: bool
    path: str
    ips: tuple[str, ...]


def normalised(address: str) -> str:
    """The address as it is fetched, without what stands behind “#”. Raises FetchError."""
    parts = _split(address)
    host = _host(parts)
    port = "" if _port(parts) == _usual_port(parts) else f":{_port(parts)}"
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{port}{_path(parts)}"


def target_of(address: str, *, private_allowed: bool = False) -> Target:
    """What to connect to for an address. Raises FetchError for what must not, or cannot, be fetched."""
    parts = _split(address)
    host, port = _host(parts), _port(parts)
    if port not in PORTS and not private_allowed:
        allowed = ", ".join(map(str, PORTS))
        raise FetchError(
            "port",
            said("The port {port} is not fetched from, only {allowed}.", port=str(port), allowed=allowed),
        )
    ips = _looked_up(host, port)
    if not private_allowed and not all(map(is_public, ips)):
        raise FetchError(
            "private_address",
            said("“{host}” is an address inside a private network, which is never fetched.", host=host),
            gettext_noop("Save the page as a file and add that."),
        )
    return Target(
        address=normalised(address),
        host=host,
        port=port,
        is_tls=parts.scheme == "https",
        path=_path(parts),
        ips=ips,
    )


def _split(address: str) -> SplitResult:
    address = address.strip()
    if len(address) > LONGEST:
        raise FetchError("address", said("That address is longer than {n} characters.", n=LONGEST))
    if address and not _SCHEME.match(address):
        address = f"https://{address}"
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        raise FetchError("address", gettext_noop("That is not an address of a web page.")) from None
    if parts.scheme not in ("http", "https"):
        raise FetchError(
            "address", gettext_noop("Only addresses that begin with http:// or https:// can be fetched.")
        )
    if not parts.hostname or _UNPRINTABLE.search(address):
        raise FetchError("address", gettext_noop("That is not an address of a web page."))
    if parts.username is not None or parts.password is not None:
        raise FetchError("address", gettext_noop("An address with a user name or a password is not fetched."))
    return parts


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:  # IPv6
        return host
    try:
        encoded = host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise FetchError("address", gettext_noop("That is not an address of a web page.")) from None
    if not encoded:
        raise FetchError("address", gettext_noop("That is not an address of a web page."))
    return encoded


def _usual_port(parts: SplitResult) -> int:
    return 443 if parts.scheme == "https" else 80


def _port(parts: SplitResult) -> int:
    return _usual_port(parts) if parts.port is None else parts.port


def _path(parts: SplitResult) -> str:
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/?%:@!$&'()*+,;=~-._[]")
    return f"{path}?{query}" if query else path


def _looked_up(host: str, port: int) -> tuple[str, ...]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise FetchError(
            "unknown_host",
            said("There is no server called “{host}”, or its name cannot be looked up from here.", host=host),
            gettext_noop("Check the address."),
        ) from None
    return tuple(dict.fromkeys(str(each[4][0]) for each in found))
