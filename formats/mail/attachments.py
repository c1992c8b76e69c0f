"""The files attached to messages and to the messages in them, without pictures that belong to their text."""

import html
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import unquote

from formats.embedded.pictures import size_of
from formats.mail.reading import (
    DEEPEST,
    TOLD,
    Message,
    body_of,
    content_id,
    content_of,
    filename_of,
    inner_message,
    parts_of,
    rest_of,
    text_of,
)

# Of files that come without a name.
ENDINGS = {
    "application/pdf": ".pdf",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/plain": ".txt",
}

ORNAMENT = 120_000  # pixels: a logo or an icon in a signature, which many messages have and no text shows

Frame = tuple[dict[str, Any], bytes]


def attached(messages: Iterable[Message], *, most: int, largest: int) -> Iterator[Frame]:
    """A frame for each of the first `most`: its name, size, and its content; the last one says how many more
    there are.
    """
    parts = (part for message in messages for part in _attached(message, 1))
    for number, part in enumerate(islice(parts, most), start=1):
        left_out = sum(1 for _ in parts) if number == most else 0
        content = content_of(part)
        head = {"name": _name(part, number), "size": len(content), "left_out": left_out}
        yield head, content if len(content) <= largest else b""


def _attached(message: Message, level: int) -> Iterator[Message]:
    parts = parts_of(message)
    body = body_of(message, parts)
    shown = ""
    if body is not None and body.get_content_type() == "text/html":
        shown = html.unescape(unquote(text_of(body))).lower()
    for part in rest_of(message, body, parts):
        if part.get_content_type() == "message/rfc822":
            inner = inner_message(part)
            if inner is not None and level < DEEPEST:
                yield from _attached(inner, level + 1)
        elif part.get_content_type() in TOLD and not filename_of(part):
            continue  # it is told with the message
        elif part.get_content_maintype() == "image" and (_is_shown(part, shown) or _is_ornament(part)):
            continue
        elif filename_of(part) or _is_attachment(part):
            yield part


def _is_shown(picture: Message, body: str) -> bool:
    """Whether the body, HTML in small letters, shows it."""
    name = content_id(picture)
    return bool(name) and f"cid:{name}" in body


def _is_ornament(picture: Message) -> bool:
    """Whether it is small and not said to be attached."""
    if picture.get_content_disposition() == "attachment":
        return False
    width, height = size_of(content_of(picture))
    return 0 < width * height < ORNAMENT


def _is_attachment(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or part.get_content_maintype() == "application"


def _name(part: Message, number: int) -> str:
    return filename_of(part) or f"attachment {number}{ENDINGS.get(part.get_content_type(), '')}"
