"""The milliseconds of each stage of a search."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class Stopwatch:
    """`milliseconds` by stage, in the order in which they first began; a stage that runs again adds up.

    before: what other searches for the same query took.
    """

    def __init__(self, before: Mapping[str, float] | None = None) -> None:
        self.milliseconds: dict[str, float] = dict(before or {})

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            spent = 1000 * (time.perf_counter() - started)
            self.milliseconds[name] = round(self.milliseconds.get(name, 0.0) + spent, 3)
