"""What a response says to the person or program that gets it."""

import re
from html import unescape
from typing import Any

from asgiref.sync import async_to_sync


def text_of(response: Any) -> str:
    """The words of a page, without its tags."""
    content = response if isinstance(response, str) else response.content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", content)).split())


def content_of(response: Any) -> bytes:
    if getattr(response, "is_async", False):
        body = async_to_sync(joined)(response)
    else:
        body = b"".join(response.streaming_content) if response.streaming else response.content
    return body + str(response.headers).encode()


async def joined(response: Any) -> bytes:
    return b"".join([block async for block in response])
