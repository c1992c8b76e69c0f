"""Tasks of an event loop that work side by side."""

import asyncio
from collections.abc import Collection
from typing import Any


async def end(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Cancel those that still run and wait until all have ended; what they raise is dropped."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
