"""Limits how fast one model server is asked by all jobs of this process together."""

import asyncio
import random
from functools import cache
from threading import Lock
from time import monotonic

FIRST_SPACING = 0.1  # seconds between two requests after the first refusal; doubled by each further one
WIDEST_SPACING = 15.0
FASTER = 0.8  # of the spacing is left after each answer
NO_SPACING = 0.02  # seconds: below it requests are not spaced any more
FIRST_WAIT = 1.0  # seconds of silence after a refusal that names no time; doubled by each further one
LONGEST_WAIT = 60.0


class RateLimiter:
    """Lets requests through one by one while the server is busy, and all at once while it isn't.

    Safe to share between threads and event loops.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._next = self._spacing = self._refused = 0.0
        self._refusals = 0
        self.answered = monotonic()  # when the server last answered

    async def enter(self) -> float:
        """Wait for a turn; gives the moment it came."""
        while (wait := self._turn()) > 0:
            await asyncio.sleep(wait + random.uniform(0, wait / 10))
        return monotonic()

    def _turn(self) -> float:
        """0 when it is this request's turn, else seconds to wait before asking again."""
        with self._lock:
            now = monotonic()
            if now < self._next:
                return self._next - now
            self._next = now + self._spacing
            return 0.0

    def refused(self, entered: float, retry_after: float | None) -> None:
        """The server is busy: nobody asks for a while, and then more slowly.

        Of several refusals of one burst only the first slows down further.
        """
        with self._lock:
            if entered >= self._refused:
                self._refused = monotonic()
                self._refusals += 1
                self._spacing = min(max(2 * self._spacing, FIRST_SPACING), WIDEST_SPACING)
            if retry_after is None:
                retry_after = min(FIRST_WAIT * 2 ** (self._refusals - 1), LONGEST_WAIT)
            self._next = max(self._next, monotonic() + retry_after)

    def passed(self) -> None:
        """The server has answered: ask it a little faster."""
        with self._lock:
            self.answered = monotonic()
            self._refusals = 0
            self._spacing *= FASTER
            if self._spacing < NO_SPACING:
                self._spacing = 0.0


@cache
def limiter_of(address: str) -> RateLimiter:
    """The one rate limiter of a server in this process."""
    return RateLimiter()
