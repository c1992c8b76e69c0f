"""What is sent in blocks, so that none of it is in memory as a whole: files, and text made meanwhile."""

from collections.abc import AsyncIterator, Iterator
from typing import IO

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections

BLOCK = 1 << 16  # bytes, or characters of a text, that are sent at once


async def in_blocks(file: IO[bytes]) -> AsyncIterator[bytes]:
    """Its content from where it stands; it is closed afterwards. Whoever takes it slowly keeps no connection
    to the database from others.
    """
    try:
        await sync_to_async(_give_back_connections)()
        while block := await sync_to_async(file.read)(BLOCK):
            yield block
    finally:
        await sync_to_async(file.close)()


def _give_back_connections() -> None:
    """To the pool; without one they are this request's own until its end."""
    if settings.DATABASE_POOL:
        connections.close_all()


async def text_in_blocks(pieces: Iterator[str]) -> AsyncIterator[bytes]:
    """The pieces in UTF-8, joined so that none is tiny."""
    while block := await sync_to_async(_next_block)(pieces):
        yield block.encode()


def _next_block(pieces: Iterator[str]) -> str:
    """Empty at the end."""
    taken: list[str] = []
    length = 0
    for piece in pieces:
        taken.append(piece)
        length += len(piece)
        if length >= BLOCK:
            break
    return "".join(taken)
