"""How long a client may take to send the body of its request."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

SLOWEST = 2_000  # bytes a second, once the first seconds are over


class Pace:
    """Counts the time in which the server waits for the client: at most `seconds`, and one more for each
    SLOWEST bytes that have arrived. The time that SVQ itself takes to read what came does not count.
    """

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._over = False

    async def next(self, receive: Callable[[], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
        """The next ASGI message of the request. Raises TimeoutError."""
        if self._over:  # only the client's leaving is waited for
            return await receive()
        begun = time.monotonic()
        async with asyncio.timeout(self._left):
            message = await receive()
        self._left += len(message.get("body", b"")) / SLOWEST - (time.monotonic() - begun)
        self._over = not message.get("more_body")
        return message
