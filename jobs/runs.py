"""A fenced run: one job's exclusive right to write about a row, and how that ends.

A worker that was believed dead may wake up after its job was given to another. So each run takes the row over
with a fresh token, and writes only while the row still has that token.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Generic, Self, TypeVar
from uuid import uuid4

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_noop
from procrastinate.exceptions import JobAborted

from jobs.failures import STORAGE_ERRORS, Explained, Failure, detail_of, is_transient, wait_asked_for
from jobs.models import FencedRow
from jobs.retry import LONGEST_WAIT
from localization.stored import Said, said, sentences

logger = logging.getLogger(__name__)

Row = TypeVar("Row", bound=FencedRow)

NO_STORAGE = gettext_noop("The database or the file storage did not answer.")
NO_MEMORY = gettext_noop("This needed more memory than is allowed and was stopped.")
NO_END = gettext_noop("This was tried several times and never came to an end.")
LATER = gettext_noop("Try it again later.")
ONCE_FIXED = gettext_noop("Try it again once that is fixed.")
SEE_LOG = gettext_noop("Try it again; the worker's log has the details.")
FAILS_AGAIN = gettext_noop("Try it again; if it fails again, the worker's log names the cause.")


def fault(error: BaseException) -> Said:
    """What is said of an error that nobody has foreseen."""
    return said("This stopped at a fault in SVQ ({error}).", error=type(error).__name__)


class Stopped(JobAborted):
    """The run may not go on: cancelled, paused, deleted, taken over, or the worker shuts down."""


@transaction.atomic(savepoint=False)
def claim(rows: QuerySet[Row]) -> Row | None:
    """Take the one row in `rows` over from whichever run had it: a fresh token, one attempt more.

    None when it is gone or needs no run (any more).
    """
    unfinished = rows.filter(status__in=rows.model.unfinished)
    if not unfinished.update(run_token=uuid4(), attempts=F("attempts") + 1, unended=F("unended") + 1):
        return None
    return rows.get()


class FencedRun(Generic[Row]):
    """A run of a claimed row. A subclass is one kind of work; it says how a person is told of a failure."""

    max_deaths: ClassVar[int] = 2  # of workers, one after the other without any progress
    max_attempts: ClassVar[int] = 6  # with the waits of Backoff: 2 + 4 + 8 + 16 + 32 seconds
    max_exhausted: ClassVar[int] = 2  # attempts that run out of memory: a worker that does so ends
    deadly: ClassVar[str] = gettext_noop("This stopped its worker twice, so it is not tried again.")
    safe: ClassVar[str]  # the first sentence of a hint: "The file is safe."

    def __init__(self, row: Row, should_stop: Callable[[], bool] = lambda: False) -> None:
        assert row.run_token, "the row has to be claimed first"
        self.row = row
        self.token = row.run_token
        self.should_stop = should_stop

    @contextmanager
    def writing(self) -> Iterator[Row]:
        """A transaction in which this run, and no other, may write about its row. Raises Stopped."""
        if self.should_stop():
            raise Stopped
        with transaction.atomic():
            row = self._mine().select_for_update().first()
            if row is None:
                raise Stopped
            yield row

    def carry_out(self, body: Callable[[Self], None]) -> None:
        """Do the work to a definite end. Raises what `settle` raises."""
        try:
            body(self)
        except Exception as error:  # noqa: BLE001 - settle tells them apart
            self.settle(error)

    def settle(self, error: Exception) -> None:
        """End the run by what its body has raised: fail, or raise it again while another attempt may help.

        A run that was stopped in good order says nothing against its row, so the attempt is not counted.
        """
        if isinstance(error, Stopped):
            self.forget_attempt()
            raise error
        if self.is_tried_again(error):
            self._mine().update(unended=0)
            raise error
        self.fail(self.explain(error))

    def is_tried_again(self, error: Exception) -> bool:
        """Whether another attempt may help, and comes soon enough."""
        most = self.max_exhausted if isinstance(error, MemoryError) else self.max_attempts
        in_time = wait_asked_for(error) <= self.longest_wait()
        return is_transient(error) and self.row.attempts < most and in_time

    def longest_wait(self) -> float:
        """Seconds that a server may ask this run to wait; asked for more, it fails and says so."""
        return LONGEST_WAIT

    def explain(self, error: Exception) -> Failure:
        """The error in a person's words."""
        if isinstance(error, Explained):
            when = LATER if error.transient else ONCE_FIXED
            return Failure(
                code=error.code,
                message=error.message,
                hint=error.hint or self._advice(when),
                detail=detail_of(error),
            )
        if isinstance(error, STORAGE_ERRORS):
            return Failure(code="storage", message=NO_STORAGE, hint=self._advice(LATER))
        if isinstance(error, MemoryError):
            return Failure(code="memory", message=NO_MEMORY, hint=self._advice(LATER))
        logger.error("%s: %s", type(self).__name__, self.row.pk, exc_info=error)
        return Failure(code="internal", message=fault(error), hint=self._advice(SEE_LOG))

    def _advice(self, what: str) -> Said:
        return sentences(self.safe, what)

    def gives_up(self) -> bool:
        """Whether this was tried too often, by workers that died or against servers that stayed away.

        Then it has failed.
        """
        message = NO_END
        if self.row.unended > self.max_deaths:
            message = self.deadly
        elif self.row.attempts <= self.max_attempts:
            return False
        self.fail(Failure(code="gave_up", message=message, hint=self._advice(FAILS_AGAIN)))
        return True

    def fail(self, failure: Failure) -> None:
        """Record and announce a definite failure, unless another run has the row by now."""
        with transaction.atomic():
            if self.close(status="failed", **failure.columns()):
                self.announce(failure)

    def announce(self, failure: Failure) -> None:
        """Append the failure to the event log, in the transaction that records it."""
        raise NotImplementedError

    def close(self, **values: Any) -> bool:
        """Give the row back with its last values; False when another run has it by now."""
        return bool(self._mine().update(run_token=None, **values))

    def forget_attempt(self) -> None:
        """Don't count this attempt; nothing changes when another run has the row by now."""
        self._mine().update(attempts=F("attempts") - 1, unended=0)

    def _mine(self) -> QuerySet[Row]:
        rows: QuerySet[Row] = type(self.row)._default_manager.filter(pk=self.row.pk, run_token=self.token)
        return rows
