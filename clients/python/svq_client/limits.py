"""How long things may take."""

import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

from svq_client.errors import time_limit

LEAST_WAIT = 0.1  # seconds, before a request is sent again


class Limit:
    """How long something may take in all. each: seconds that one request of it may take."""

    def __init__(
        self, seconds: float, each: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._each = seconds if each is None else each

    @property
    def left(self) -> float:
        return self._end - self._clock()

    @property
    def for_one(self) -> float:
        return max(min(self._each, self.left), LEAST_WAIT)


class LimitedFile(io.BufferedReader):
    """A file that is sent: the HTTP library only limits each piece of it. Raises SvqError `time_limit`."""

    def __init__(self, content: Path | bytes, limit: Limit) -> None:
        raw = io.BytesIO(content) if isinstance(content, bytes) else io.FileIO(content)
        super().__init__(cast(io.RawIOBase, raw))
        self._limit = limit

    def read(self, size: int | None = -1, /) -> bytes:
        if self._limit.left <= 0:
            raise time_limit("the file was not sent.")
        return super().read(size)
