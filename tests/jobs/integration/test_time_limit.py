"""Jobs that take longer than they may are stopped, and say so."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from procrastinate import App
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from jobs.manager import use_manager
from jobs.models import JobReport
from jobs.reports import report, reporting
from jobs.retry import Backoff
from jobs.time_limit import TimeLimit, duration, limit_of
from sql import rows
from tests.workers import worker_connector

pytestmark = pytest.mark.django_db(transaction=True)

QUEUE = "limited"


def in_one_statement() -> None:
    rows("SELECT pg_sleep(600)")


def in_many_statements() -> None:
    while True:
        rows("SELECT pg_sleep(0.05)")


def in_a_transaction() -> None:
    with transaction.atomic():
        rows("SELECT pg_sleep(600)")


def stopped_by_a_person() -> None:
    rows("SELECT 1 / 0")


def carry_out(act: Callable[[], None], seconds: float = 0.5) -> tuple[str, str]:
    """The status of the job, and what is reported of it."""
    name = f"{act.__name__} {time.monotonic()}"
    task = app.task(name=name, queue=QUEUE, retry=Backoff(), task_middleware=[TimeLimit(seconds)])(act)
    assert limit_of(task) == seconds
    pk = task.defer()

    async def run() -> None:
        worker_app: App = app.with_connector(worker_connector())
        use_manager(worker_app)
        options: dict[str, Any] = {"install_signal_handlers": False, "listen_notify": False}
        async with worker_app.open_async():
            await worker_app.run_worker_async(
                queues=[QUEUE], wait=False, worker_middleware=[reporting], delete_jobs="successful", **options
            )

    asyncio.run(run())
    job = ProcrastinateJob.objects.filter(pk=pk).first()
    found = JobReport.objects.filter(pk=pk).first()
    return job.status if job else "gone", found.message if found else ""


@pytest.mark.parametrize("act", [in_one_statement, in_many_statements, in_a_transaction])
def test_a_job_in_the_database_is_stopped_at_its_limit(act: Callable[[], None]) -> None:
    assert carry_out(act) == ("failed", f"This took longer than {duration(0.5)} and was stopped.")


def test_a_fault_within_the_limit_is_not_called_too_long() -> None:
    status, message = carry_out(stopped_by_a_person, 60)
    assert status == "failed"
    assert "DataError" in message
    assert "long" not in message


def test_the_limit_ends_with_the_job() -> None:
    def look() -> None:
        before.append(rows("SHOW statement_timeout")[0][0])
        TimeLimit(100)(inner, Context(), None)  # type: ignore[arg-type]
        after.append(rows("SHOW statement_timeout")[0][0])

    def inner() -> None:
        during.append(rows("SHOW statement_timeout")[0][0])

    class Context:
        job = None
        additional_context: dict[str, Any] = {}

    before: list[str] = []
    during: list[str] = []
    after: list[str] = []
    look()
    assert before == after
    assert during != before
    connection.close()


def test_others_see_how_far_a_job_is() -> None:
    seen: list[tuple[float, float]] = []

    def long_work() -> None:
        report(3, 10)
        seen.extend(JobReport.objects.values_list("done", "total"))

    assert carry_out(long_work, 60) == ("gone", "")
    assert seen == [(3.0, 10.0)]
