"""What an owner gives as the address of a server, checked and written in one way."""

from urllib.parse import SplitResult, quote, unquote, urlsplit

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from exchange.connectors.sources.source import USUAL_PORTS
from providers.connections.services import owners_may
from providers.http.public_addresses import NOT_PUBLIC, is_private

PLAIN = "/:@!$&'()*+,;="  # in paths of addresses, beside letters and digits
WEB, MAIL = ("https", "http"), ("imaps", "imap")


def parts_of_address(place: str, schemes: tuple[str, str] = WEB) -> SplitResult:
    """schemes: the encrypted one first. Whether a server may be reached is asked again at each look: a name
    may point elsewhere by then. Raises ValidationError.
    """
    try:
        parts = urlsplit(place)
        _port = parts.port
    except ValueError:
        parts = urlsplit("")
    good = parts.scheme in schemes and parts.hostname and parts.username is None
    good = good and not str(parts.hostname).startswith("-")  # a sign of its own to curl
    if not good or parts.query or parts.fragment or not place.isascii():
        secure, plain = schemes
        raise ValidationError(
            _(
                "Give an address that begins with {secure}:// or {plain}://, without a user name or a "
                "question mark."
            ).format(secure=secure, plain=plain),
            code="place",
        )
    if not owners_may().private_connectors and is_private(str(parts.hostname)):
        raise ValidationError(_(NOT_PUBLIC), code="place")
    return parts


def as_one_writes(parts: SplitResult, *, with_plain_path: bool = True) -> str:
    """One place has one address, however it is spelt: without the usual port, and with just those characters
    escaped that have to be; with_plain_path: in its path, too.
    """
    usual = USUAL_PORTS[parts.scheme]
    host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else str(parts.hostname)
    port = "" if parts.port in (None, usual) else f":{parts.port}"
    path = quote(unquote(parts.path), PLAIN) if with_plain_path else parts.path
    return f"{parts.scheme}://{host}{port}{path}".rstrip("/")
