"""Addresses of servers that people give."""

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


def checked_address(address: str, longest: int) -> str:
    """Without white space around it; of at most so many characters. Raises ValidationError.

    Whether it may be reached is asked again at each request: a name may point elsewhere by then.
    """
    address = address.strip()
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - raises ValueError
    except ValueError:
        parts = urlsplit("")
    good = parts.scheme in ("http", "https") and parts.hostname and parts.username is None
    if not good or len(address) > longest or not (address.isascii() and address.isprintable()):
        raise ValidationError(
            _("Give an address that begins with https:// or http://, without a user name."), code="address"
        )
    return address
