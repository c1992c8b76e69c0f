"""What a message says of itself. In the sandbox."""

from email.utils import getaddresses, parsedate_to_datetime
from typing import Any

from formats.base.file_properties import MOST_RECIPIENTS, MOST_SENT
from formats.mail.reading import Message, head_of, subject_of

LONGEST_LIST = 20_000  # characters of a head of addresses that are looked at


def properties_of(message: Message) -> dict[str, Any]:
    senders = _people(message, "From")
    recipients = _people(message, "To") + _people(message, "Cc")
    return {
        "subject": subject_of(message)[:MOST_SENT],
        "sender": senders[0] if senders else "",
        "recipients": recipients[:MOST_RECIPIENTS],
        "sent": _sent(message),
    }


def _people(message: Message, head: str) -> list[str]:
    """Name and address of each, as mail programs write them."""
    written = head_of(message, head)[:LONGEST_LIST]
    if not written:
        return []
    try:
        found = getaddresses([written])
    except (ValueError, RecursionError, IndexError):
        found = []
    people = [_person(name, address) for name, address in found if name or address]
    return people[:MOST_RECIPIENTS] or [written[:MOST_SENT]]


def _person(name: str, address: str) -> str:
    return f"{name} <{address}>" if name and address else name or address


def _sent(message: Message) -> str:
    written = head_of(message, "Date")[:100]
    try:
        return parsedate_to_datetime(written).isoformat()
    except (ValueError, TypeError, OverflowError, IndexError):
        return written  # some programs write it as ISO 8601
