"""Model servers that have asked to be left alone for a while: this process sends them nothing meanwhile.

Whoever would ask one gets its refusal again, with the time that is left.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from providers.openai.errors import busy
from providers.protocols import ProviderError

LONGEST = 120.0  # seconds; longer wishes are passed on, but whoever asks after that may try whether they hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Servers count requests by key and model, so one person's limit does not keep others waiting."""

    base_url: str
    api_key: str
    model: str


_until: dict[Server, float] = {}  # moments of time.monotonic
_lock = Lock()


@contextmanager
def asking(server: Server) -> Iterator[None]:
    """Around a request. Raises ProviderError before it is sent while the server wants to be left alone."""
    if (left := _left(server)) > 0:
        raise busy(left)
    try:
        yield
    except ProviderError as error:
        if error.retry_after:
            _leave_alone(server, min(error.retry_after, LONGEST))
        raise


def _left(server: Server) -> float:
    with _lock:
        left = _until.get(server, 0.0) - time.monotonic()
        if left <= 0:
            _until.pop(server, None)
        return left


def _leave_alone(server: Server, seconds: float) -> None:
    with _lock:
        _until[server] = max(_until.get(server, 0.0), time.monotonic() + seconds)
