"""The jobs: filling a table, and upkeep."""

from procrastinate.contrib.django import app

from batches.upkeep import forget_replies, late
from desks.tables.filling.run import carry_on
from desks.tables.models import PaidReply, ReviewTable
from jobs.retry import Backoff
from jobs.slices import one_slice


@app.task(name="fill_table", queue="runs", retry=Backoff())
async def fill_table(table_id: int) -> None:
    await one_slice(carry_on, table_id)


@app.periodic(cron="43 3 * * *")
@app.task(name="forget_paid_in_tables", queue="upkeep", queueing_lock="forget_paid_in_tables")
def forget(timestamp: int) -> None:
    """What was paid for fillings that did not go on."""
    tables = late(ReviewTable.objects.order_by(), "updated", "created").values("pk")
    forget_replies(PaidReply, table__in=tables)
