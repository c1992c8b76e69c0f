"""Files that are sent in blocks, so that none is in memory as a whole."""

from collections.abc import AsyncIterator
from typing import IO

from asgiref.sync import sync_to_async

BLOCK = 1 << 16  # bytes read at once


async def in_blocks(file: IO[bytes]) -> AsyncIterator[bytes]:
    """Its content from where it stands; it is closed afterwards."""
    try:
        while block := await sync_to_async(file.read)(BLOCK):
            yield block
    finally:
        await sync_to_async(file.close)()
