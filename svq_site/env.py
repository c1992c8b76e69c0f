"""Typed readers of environment variables; a wrong value stops start-up with one clear line."""

import ipaddress
import os
import re
from decimal import Decimal, InvalidOperation
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    """The variable's value, or `default` when it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def number(name: str, default: int, *, low: int = 0, high: int = 2**31) -> int:
    """A whole number between `low` and `high`."""
    value = text(name, str(default))
    if not re.fullmatch(r"-?[0-9]{1,15}", value) or not low <= int(value) <= high:
        raise ImproperlyConfigured(f"{name} is {value!r}: set a whole number from {low} to {high}.")
    return int(value)


def amount(name: str, default: str = "0") -> Decimal:
    """A number of 0 or more, such as 0.15."""
    value = text(name, default)
    try:
        number = Decimal(value)
    except InvalidOperation:
        number = Decimal(-1)
    if not number.is_finite() or number < 0:
        raise ImproperlyConfigured(f"{name} is {value!r}: set a number of 0 or more, such as 0.15.")
    return number


def secret_bytes(name: str, length: int) -> bytes:
    """So many bytes, written in hexadecimal; none when it is unset."""
    value = text(name)
    try:
        found = bytes.fromhex(value)
    except ValueError:
        found = b"?"
    if len(found) != length and value:  # what is told has nothing of a secret
        raise ImproperlyConfigured(f"{name} is wrong: set {length} bytes in hexadecimal.")
    return found


def flag(name: str, default: bool) -> bool:
    """yes/no, true/false, on/off, 1/0."""
    value = text(name, str(default)).lower()
    if value not in TRUE | FALSE:
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to yes or no.")
    return value in TRUE


def choice(name: str, *values: str) -> str:
    """One of the values; the first when it is unset."""
    value = text(name, values[0]).lower()
    if value not in values:
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to {' or '.join(values)}.")
    return value


def networks(name: str) -> list[str]:
    """Addresses and networks such as 10.0.0.0/8, separated by commas."""
    values = listing(name)
    for value in values:
        try:
            ipaddress.ip_network(value)
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name} has {value!r}: set addresses such as 127.0.0.1 or networks such as 10.0.0.0/8."
            ) from error
    return values


def origin(name: str, host: str, port: int, *, https: bool) -> str:
    """An address such as https://svq.example.org, without a slash at its end; else that of host and port."""
    if given := text(name).rstrip("/"):
        parts = urlsplit(given)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.query or parts.fragment:
            raise ImproperlyConfigured(
                f"{name} is {given!r}: set an address such as https://svq.example.org."
            )
        return given
    if "*" in host or host.startswith("."):
        host = "localhost"
    return f"https://{host}" if https else f"http://{host}:{port}"


def listing(name: str, default: str = "") -> list[str]:
    """Values separated by commas."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]
