"""Slots for costly work inside one process, such as drawing a page: people who wait for one take turns, or
whatever else takes turns in their place, such as networks.
"""

import threading
import time
from collections import Counter, deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from django.conf import settings

from sql.let_go import let_go


class Busy(Exception):
    """There was no slot in time. `wait`: seconds after which it is worth trying again."""

    wait = 2


class FairSlots:
    """At most `slots` at once, one fewer for a single person, so that one is free for who comes next.

    The next slot goes to the person who has the fewest, of these to the one who was served least recently.
    """

    def __init__(
        self, slots: int, *, waiting_each: int = 20, waiting_in_all: int = 100, patience: float = 20.0
    ) -> None:
        """`waiting_each`, `waiting_in_all`: how many of a person and of all may wait; `patience`: how many
        seconds.
        """
        self._slots = slots
        self._each = max(1, slots - 1)
        self._waiting_each, self._waiting_in_all = waiting_each, waiting_in_all
        self._patience = patience
        self._changed = threading.Condition()
        self._waiting: dict[Hashable, deque[object]] = {}
        self._taken: Counter[Hashable] = Counter()
        self._served: dict[Hashable, float] = {}

    @contextmanager
    def taken_by(self, person: Hashable, *, patience: float | None = None) -> Iterator[None]:
        """`patience`: seconds to wait, in place of what all wait. Raises Busy."""
        self._take(person, self._patience if patience is None else patience)
        try:
            yield
        finally:
            with self._changed:
                self._taken[person] -= 1
                self._taken += Counter()  # forgets those who have none
                self._forget_idle()
                self._changed.notify_all()

    def _take(self, person: Hashable, patience: float) -> None:
        ticket = object()
        with self._changed:
            in_all = sum(map(len, self._waiting.values()))
            if len(self._waiting.get(person, ())) >= self._waiting_each or in_all >= self._waiting_in_all:
                raise Busy
            mine = self._waiting.setdefault(person, deque())
            mine.append(ticket)
            try:
                if self._next() is not ticket:
                    if settings.DATABASE_POOL:
                        let_go()  # who waits must not keep others from the database
                    if not self._changed.wait_for(lambda: self._next() is ticket, patience):
                        raise Busy
                self._taken[person] += 1
                self._served[person] = time.monotonic()
            finally:
                mine.remove(ticket)
                if not mine:
                    del self._waiting[person]
                self._forget_idle()
                self._changed.notify_all()

    def _next(self) -> object | None:
        """Who gets a slot now, if there is one."""
        if self._taken.total() >= self._slots:
            return None
        able = [person for person in self._waiting if self._taken[person] < self._each]
        if not able:
            return None
        first = min(able, key=lambda person: (self._taken[person], self._served.get(person, 0.0)))
        return self._waiting[first][0]

    def _forget_idle(self) -> None:
        """When somebody was served counts only while anybody waits or draws."""
        if not (self._waiting or self._taken):
            self._served.clear()
