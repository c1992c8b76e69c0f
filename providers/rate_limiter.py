"""Limits how fast one model server is asked by the jobs of all processes together.

What they know of it is a row in the database, which a server gets when it refuses a request.
"""

import asyncio
import hashlib
import random
from dataclasses import dataclass, field
from time import monotonic

from asgiref.sync import sync_to_async

from providers.connections.sql import query

FIRST_SPACING = 0.1  # seconds between two requests after the first refusal; doubled by each further one
WIDEST_SPACING = 15.0
FASTER = 0.8  # of the spacing is left after each answer
NO_SPACING = 0.02  # seconds: below it requests are not spaced any more
FIRST_WAIT = 1.0  # seconds of silence after a refusal that names no time; doubled by each further one
LONGEST_WAIT = 60.0


@dataclass(slots=True, kw_only=True)
class RateLimiter:
    """Lets requests through one by one while the server is busy, and all at once while it isn't."""

    address: str
    answered: float = field(default_factory=monotonic)  # when the server last answered this process

    async def enter(self) -> float:
        """Wait for a turn; gives the moment it came, by the clock of the database."""
        while True:
            ((now, wait),) = await sync_to_async(query)("turn", server=self._server)
            if not wait:
                return float(now)
            await asyncio.sleep(wait + random.uniform(0, wait / 10))

    async def refused(self, entered: float, retry_after: float | None) -> None:
        """The server is busy: nobody asks for a while, and then more slowly.

        Of several refusals of one burst only the first slows down further.
        """
        await sync_to_async(query)(
            "refused",
            server=self._server,
            entered=entered,
            retry_after=retry_after,
            first_spacing=FIRST_SPACING,
            widest_spacing=WIDEST_SPACING,
            first_wait=FIRST_WAIT,
            longest_wait=LONGEST_WAIT,
        )

    async def passed(self) -> None:
        """The server has answered: ask it a little faster."""
        self.answered = monotonic()
        await sync_to_async(query)("passed", server=self._server, faster=FASTER, no_spacing=NO_SPACING)

    @property
    def _server(self) -> str:
        """An address may have a password in it."""
        return hashlib.sha256(self.address.encode()).hexdigest()
