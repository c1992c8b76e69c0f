"""One polite queue for arXiv for the whole deployment: a request at a time, and three seconds from the
end of one to the beginning of the next.

The row of ArxivQueue says when the next request may begin. Whoever asks holds it until the answer is there; a
holder that dies loses it after HELD seconds.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.db.models import DateTimeField, ExpressionWrapper, Value
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_noop

from desks.research.arxiv_api.errors import GaveUp, Refused
from desks.research.models import ArxivQueue
from localization.stored import said, sentences

TRIES = 3
PAUSES = (5, 10, 15)  # seconds after the first, second and third refusal
HELD = 30  # seconds until a holder that says nothing counts as dead
LONGEST_WAIT = 3600  # seconds: a longer wait is not believed
TICK = 0.25  # seconds between two looks at the queue

Answer = TypeVar("Answer")
Waiting = Callable[[float], None]


class Turn:
    """The right to make one request now."""

    def __init__(self, token: UUID) -> None:
        self._token = token
        self._kept = time.monotonic()
        self.pause = 0.0  # seconds for which nobody may ask afterwards, besides the usual ones

    def keep(self) -> None:
        """Report that the request is still under way; called while an answer comes in."""
        if time.monotonic() - self._kept > HELD / 4:
            self._kept = time.monotonic()
            ArxivQueue.objects.filter(holder=self._token).update(free_at=_from_now(HELD))


def seconds_left() -> float:
    """Until the next request may begin, as far as is known now."""
    free_at = ArxivQueue.objects.filter(pk=1).values_list("free_at", flat=True).first()
    return max(0.0, (free_at - timezone.now()).total_seconds()) if free_at else 0.0


@contextmanager
def turn(waiting: Waiting) -> Iterator[Turn]:
    """Wait for the turn; `waiting` is told some times a second how many seconds are left, and may raise."""
    token = uuid4()
    ArxivQueue.objects.get_or_create(pk=1, defaults={"free_at": timezone.now()})
    free = ArxivQueue.objects.filter(pk=1, free_at__lte=Now())
    while not free.update(free_at=_from_now(HELD), holder=token):
        left = seconds_left()
        waiting(left)
        time.sleep(min(max(left, 0.01), TICK))
    mine = Turn(token)
    try:
        yield mine
    finally:
        later = _from_now(min(max(settings.ARXIV_PAUSE, mine.pause), LONGEST_WAIT))
        ArxivQueue.objects.filter(holder=token).update(free_at=later, holder=None)


def ask(
    request: Callable[[Turn], Answer], *, tried: int, waiting: Waiting, refused: Callable[[int], None]
) -> Answer:
    """Make the request in its turn, three times at most; not within a transaction, which would stop others.

    `tried`: how often it was refused before, by a worker that was stopped; `refused` is told the new count.
    Raises GaveUp, what the request raises, and what `waiting` raises.
    """
    while True:
        with turn(waiting) as mine:
            try:
                return request(mine)
            except Refused as refusal:
                mine.pause = max(PAUSES[min(tried, len(PAUSES) - 1)], refusal.wait)
                reason = refusal.reason
        tried += 1
        refused(tried)
        if tried >= TRIES:
            raise GaveUp(
                sentences(reason, said("SVQ asked {n} times.", n=TRIES)),
                gettext_noop("arXiv may be overloaded. Try again later."),
            )


def _from_now(seconds: float) -> ExpressionWrapper:
    return ExpressionWrapper(Now() + Value(timedelta(seconds=seconds)), output_field=DateTimeField())
