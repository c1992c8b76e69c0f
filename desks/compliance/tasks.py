"""The jobs: a check, and upkeep."""

from procrastinate.contrib.django import app

from batches.upkeep import forget_replies, late
from desks.compliance.checks.run import carry_on
from desks.compliance.models import Check, PaidReply
from jobs.retry import Backoff
from jobs.slices import one_slice


@app.task(name="assess", queue="runs", retry=Backoff())
async def assess(check_id: int) -> None:
    await one_slice(carry_on, check_id)


@app.periodic(cron="45 3 * * *")
@app.task(name="forget_paid_in_checks", queue="upkeep", queueing_lock="forget_paid_in_checks")
def forget(timestamp: int) -> None:
    """What was paid for checks that did not go on."""
    checks = late(Check.objects.order_by(), "finished", "created").values("pk")
    forget_replies(PaidReply, check_of__in=checks)
