"""Answers of servers, kept for a while. Of many threads that need the same one at the same time, one asks."""

import threading
import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class TimedCache(Generic[Key, Value]):
    """Values by key, each kept for so many seconds. Safe to share between threads."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._kept: dict[Key, tuple[float, Value]] = {}  # with the time of each
        self._asking: dict[str, threading.Lock] = {}  # by address

    def get(self, address: str, key: Key, ask: Callable[[], Value], *, fresh: bool = False) -> Value:
        """The kept value, else what `ask` gives; with `fresh` none that is older than this call.

        One thread asks an address at a time; those that waited take what it has found out.
        """
        wanted = time.monotonic()
        kept = self._kept.get(key)
        if kept is not None and not fresh and wanted < kept[0] + self._seconds:
            return kept[1]
        with self._asking.setdefault(address, threading.Lock()):
            kept = self._kept.get(key)
            if kept is None or kept[0] <= wanted:  # nobody has asked while this one waited
                value = ask()
                kept = self._kept[key] = (time.monotonic(), value)
        return kept[1]

    def clear(self) -> None:
        """Forget everything, so that the servers are asked again."""
        self._kept.clear()
