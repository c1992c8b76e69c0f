"""Addresses of a provider: whether one can be trusted, and one with a query."""

from urllib.parse import urlsplit

from django.utils.http import urlencode

THIS_COMPUTER = {"localhost", "127.0.0.1", "::1"}


def is_safe(address: str) -> bool:
    """Whether nobody on the way can change what is said: HTTPS, or this computer."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    if not parts.hostname or parts.username or parts.password or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in THIS_COMPUTER)


def with_query(address: str, query: dict[str, str]) -> str:
    """Added to a query that the address has already."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"
