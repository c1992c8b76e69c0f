"""Attempts at signing in: guessing is slowed down, and nobody can lock the right person out by guessing.

Too many attempts at an account from one network have to wait. Attempts at an account from many networks are
still heard, but slowly and few at once, and the others are told to come back: guessing is not worth it, it
costs other accounts nothing, and the right password works unless guesses come faster than they are heard. A
device on which the person has signed in before has a count of its own, which others cannot use up.
"""

import math
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from django.http import HttpRequest

from accounts.devices import account_key, known_device
from accounts.limits import Limit, network
from jobs.fair_slots import Busy
from sql.let_go import let_go


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A way to sign in, with counts of its own. Successes are not counted."""

    from_network: Limit
    at_account: Limit  # from one network


PAGE = Door(
    from_network=Limit(name="page-network", attempts=20, seconds=60),
    at_account=Limit(name="page-account", attempts=5, seconds=300),
)
REST = Door(
    from_network=Limit(name="rest-network", attempts=10, seconds=60),
    at_account=Limit(name="rest-account", attempts=10, seconds=60),
)
KNOWN_DEVICE = Limit(name="device", attempts=10, seconds=300)
FROM_EVERYWHERE = Limit(name="account", attempts=10, seconds=300)  # at one account; more are slowed down

SLOW_SECONDS = 2.0
SLOW_AT_ONE, SLOW_IN_ALL = 2, 16  # attempts that wait in a process: at one account, and at all together


class TooManyAttempts(Exception):
    """`wait`: seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait


class Attempt:
    """One attempt at an account, counted from its start, so that attempts at the same moment count too. The
    password is compared within it; where that finds no slot, nobody has heard it, and it doesn't count.
    """

    def __init__(self, request: HttpRequest, email: str, door: Door) -> None:
        """Waits when the account is under attack. Raises TooManyAttempts."""
        account = account_key(email)
        if device := known_device(request, account):
            self.counts = [(KNOWN_DEVICE, device)]
        else:
            here = network(request)
            self.counts = [(door.from_network, here), (door.at_account, f"{account} {here}")]
        # Not a generator: every count is taken, also after one that is full.
        if wait := max([limit.take(subject) for limit, subject in self.counts]):
            raise TooManyAttempts(wait)
        self.slow = False
        if not device:
            self.counts.append((FROM_EVERYWHERE, account))
            self.slow = bool(FROM_EVERYWHERE.take(account))
        if self.slow:
            take_it_slowly(account)

    def end(self, *, success: bool) -> None:
        """Raises TooManyAttempts instead of "wrong password" when the account is under attack."""
        if success:
            self._forget()
        elif self.slow:
            raise TooManyAttempts(math.ceil(SLOW_SECONDS))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Busy):
            self._forget()

    def _forget(self) -> None:
        for limit, subject in self.counts:
            limit.give_back(subject)


_waiting: Counter[str] = Counter()  # attempts by account
_counting = threading.Lock()


def take_it_slowly(account: str) -> None:
    """Raises TooManyAttempts when too many others do the same."""
    with _place(account):
        let_go()
        time.sleep(SLOW_SECONDS)


@contextmanager
def _place(account: str) -> Iterator[None]:
    with _counting:
        if _waiting[account] >= SLOW_AT_ONE or _waiting.total() >= SLOW_IN_ALL:
            raise TooManyAttempts(math.ceil(SLOW_SECONDS))
        _waiting[account] += 1
    try:
        yield
    finally:
        with _counting:
            _waiting[account] -= 1
            if not _waiting[account]:
                del _waiting[account]
