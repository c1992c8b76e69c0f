"""What servers have told of themselves, kept for a while: of many who ask one at the same time, one does."""

import threading
import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Told(Generic[Key, Value]):
    """By key, for so many seconds. Safe to share between threads."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._told: dict[Key, tuple[float, Value]] = {}  # and when
        self._asking: dict[str, threading.Lock] = {}  # by address

    def by(self, address: str, key: Key, ask: Callable[[], Value], *, anew: bool = False) -> Value:
        """What the server of the address has told, else what it says now, or `anew` in any case."""
        wanted = time.monotonic()
        known = self._told.get(key)
        if known is not None and not anew and wanted < known[0] + self._seconds:
            return known[1]
        with self._asking.setdefault(address, threading.Lock()):
            known = self._told.get(key)
            if known is None or known[0] <= wanted:  # nobody has asked while this one waited
                value = ask()
                known = self._told[key] = (time.monotonic(), value)
        return known[1]

    def forget(self) -> None:
        """Everything, so that the servers are asked again."""
        self._told.clear()
