"""A batch under way: thing after thing, some side by side, each written down as soon as it is there.

It goes on from what is written, so a worker that is killed costs the things it was at, and no reply of a
model twice (`batches.replies`).
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from batches.budget import UsedUp
from batches.models import BatchRow
from jobs.failures import Failure, is_transient
from jobs.reports import report
from jobs.runs import FencedRun, claim
from jobs.slices import is_over, side_by_side
from jobs.threads import Pool
from providers.protocols import UnreadableReply
from providers.spending.allowance import asked_for
from providers.spending.metering import Payer
from providers.spending.models import Purpose
from providers.spending.prices import Prices

Row = TypeVar("Row", bound=BatchRow)
Run = TypeVar("Run", bound="BatchRun[Any]")
Thing = TypeVar("Thing")


class BatchRun(FencedRun[Row], Generic[Row]):
    """A run of a batch. A subclass is one kind of work; all its models are charged to `payer`, whose
    allowance is what the batch has left.
    """

    deadly = gettext_noop("This stopped its worker several times, so it is not tried again.")
    max_deaths = 5
    purpose: ClassVar[Purpose]
    in_a_row: ClassVar[int] = 3  # things that fail one after the other: then the batch does

    def __init__(
        self, row: Row, *, person: int, datasource: int, reply: int, prices: Iterable[Prices]
    ) -> None:
        """`reply`: tokens that a reply is expected to have until one has told; `prices`: of its models."""
        super().__init__(row)
        self.payer = Payer(
            person=person,
            datasource=datasource,
            purpose=self.purpose,
            allowance=row.budget_left.allowance(reply, prices, (row.dearest_tokens, row.dearest_money)),
            told=row.count,
        )
        self.is_held = False  # the budget had no room for a request
        self._failed_in_a_row = 0

    @property
    def at_once(self) -> int:
        """Things that are worked on side by side."""
        return 1

    def refusal(self) -> Failure | None:
        """Why it may not run now; then it fails."""
        return None

    def announce(self, failure: Failure) -> None:
        """The row says it, and the page looks there."""

    def succeeded(self) -> None:
        """One thing came to its end."""
        self._failed_in_a_row = 0

    def failed(self, error: Exception) -> None:
        """One thing has failed, and the others go on. Raises the error again where they would fail as well:
        it passes with time, or several came one after the other.
        """
        self._failed_in_a_row += 1
        is_answered = isinstance(error, UnreadableReply)  # and kept: asked again it would answer the same
        if (is_transient(error) and not is_answered) or self._failed_in_a_row >= self.in_a_row:
            raise error

    def end(self, is_done: bool, defer: Callable[[Row], int], **ended: object) -> str:
        """Done, held by its budget, or queued again for another turn: gives the status. `ended`: columns of a
        batch that is done or held. Within `writing`.
        """
        status = "done" if is_done else "held" if self.is_held else "queued"
        values = {"job_id": defer(self.row)} if status == "queued" else {"status": status, **ended}
        self.close(attempts=0, unended=0, **values)
        return status


@transaction.atomic
def begin(rows: QuerySet[Row], make: Callable[[Row], Run]) -> Run | None:
    """Take the one row in `rows` over from any other worker; None if it has ended, was deleted, or may not
    run.
    """
    row = claim(rows)
    if row is None:
        return None
    run = make(row)
    if run.gives_up():
        return None
    if refused := run.refusal():
        run.fail(refused)
        return None
    row.write(status="running")
    return run


async def each(
    run: BatchRun[Any],
    pool: Pool,
    things: Sequence[Thing],
    act: Callable[[Thing], Awaitable[bool | None]],
    deadline: float | None,
    total: int,
) -> None:
    """Do it for one thing after the other, `at_once` side by side, until the moment `deadline` or until the
    budget has no room (`act` raises UsedUp). `act` gives False where it has left one half done for another
    turn. `total`: how many there were before any was done.
    """
    waiting, done = iter(things), total - len(things)

    async def in_turn() -> None:
        nonlocal done
        for thing in waiting:
            if run.is_held or is_over(deadline):
                return
            asked_for.set(thing)
            try:
                if await act(thing) is False:
                    return
            except UsedUp:
                run.is_held = True
                return
            done += 1
            await pool.run(partial(report, done, total))

    await side_by_side(run.at_once, in_turn)
