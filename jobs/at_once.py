"""How many of something each key has at the moment, such as event streams of a person."""

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager


class AtOnce:
    """At most `limit()` for each key, in this process. Threads may share it."""

    def __init__(self, limit: Callable[[], int]) -> None:
        self._limit = limit
        self._taken: Counter[Hashable] = Counter()
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> bool:
        """Whether there is one more for that key; then `give_back` is due."""
        with self._lock:
            if self._taken[key] >= self._limit():
                return False
            self._taken[key] += 1
            return True

    def give_back(self, key: Hashable) -> None:
        with self._lock:
            self._taken[key] -= 1
            if self._taken[key] <= 0:
                del self._taken[key]

    def total(self) -> int:
        """How many are taken by all keys."""
        with self._lock:
            return self._taken.total()

    @contextmanager
    def one_more(self, key: Hashable) -> Iterator[bool]:
        """Whether the block has one; it is given back at its end."""
        has = self.take(key)
        try:
            yield has
        finally:
            if has:
                self.give_back(key)
