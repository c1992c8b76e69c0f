"""The same thing done by several threads at once, as a proxy does that sends a request again."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connections

from tests.processes import PATIENCE

Outcome = TypeVar("Outcome")


def together(times: int, act: Callable[[], Outcome]) -> list[Outcome]:
    """What each of them came to."""
    ready = Barrier(times)

    def acted() -> Outcome:
        try:
            ready.wait(PATIENCE)
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as threads:
        return [outcome.result() for outcome in [threads.submit(acted) for _ in range(times)]]
