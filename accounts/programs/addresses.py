"""Addresses that programs give: where a person's browser is sent back to, and what a program is known by."""

from posixpath import normpath
from urllib.parse import SplitResult, parse_qsl, urlsplit

from accounts.identity.addresses import THIS_COMPUTER, is_safe
from accounts.programs.models import LONGEST_ADDRESS, LONGEST_ID


def may_be_sent_to(address: str) -> bool:
    """HTTPS, or this computer: nobody on the way reads the code, and no scheme of another program gets it."""
    return _is_plain(address, LONGEST_ADDRESS) and is_safe(address)


def is_of_this_computer(address: str) -> bool:
    """Any program on the person's computer may listen there."""
    parts = urlsplit(address)
    return parts.scheme == "http" and parts.hostname in THIS_COMPUTER


def is_one_of(address: str, registered: list[str]) -> bool:
    """Every character as it was registered. On this computer the port is free (RFC 8252): the system gives a
    program any.
    """
    if address in registered:
        return True
    if not may_be_sent_to(address) or not is_of_this_computer(address):
        return False
    return any(is_of_this_computer(one) and _but_port(address) == _but_port(one) for one in registered)


def is_of_document(client_id: str) -> bool:
    """Whether an id is the address of a document that describes the program, in its only spelling."""
    if not client_id.startswith("https://") or not _is_plain(client_id, LONGEST_ID):
        return False
    try:
        parts = urlsplit(client_id)
        _ = parts.port
    except ValueError:
        return False
    is_named = bool(parts.hostname) and parts.netloc == parts.netloc.lower() and "@" not in parts.netloc
    return is_named and _has_path(parts) and not parts.query and "?" not in client_id and "#" not in client_id


def _has_path(parts: SplitResult) -> bool:
    return parts.path not in ("", "/") and normpath(parts.path) == parts.path.removesuffix("/")


def _is_plain(address: str, longest: int) -> bool:
    return len(address) <= longest and address.isascii() and address.isprintable() and " " not in address


def _but_port(address: str) -> tuple[str, str | None, str, list[tuple[str, str]]]:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname, parts.path, parse_qsl(parts.query, keep_blank_values=True)
