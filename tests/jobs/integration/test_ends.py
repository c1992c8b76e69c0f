"""A job is ended by the worker that does it, and by no other."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from procrastinate import App
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

from jobs.ends import OwnRuns
from jobs.manager import use_manager

pytestmark = pytest.mark.django_db(transaction=True)

QUEUES = ["fence"]


def in_worker(act: Callable[[JobManager], Coroutine[Any, Any, None]]) -> None:
    """Do it with the manager of a worker's app."""

    async def run() -> None:
        worker_app: App = app.with_connector(app.connector.get_worker_connector())  # type: ignore[attr-defined]
        use_manager(worker_app)
        async with worker_app.open_async():
            await act(worker_app.job_manager)

    asyncio.run(run())


@pytest.fixture
def job() -> Any:
    pk = app.configure_task("fence", queue="fence").defer()
    return ProcrastinateJob.objects.filter(pk=pk)


async def fetched(manager: JobManager, worker: int) -> Job:
    job = await manager.fetch_job(QUEUES, worker)
    assert job
    return job


@pytest.mark.parametrize("same_worker", [False, True], ids=["another", "the same"])
def test_a_run_of_the_past_does_not_end_the_present_one(job: Any, same_worker: bool) -> None:
    async def act(manager: JobManager) -> None:
        first = await manager.register_worker()
        past = await fetched(manager, first)
        await manager.retry_job(past)  # its worker seemed to be dead
        second = first if same_worker else await manager.register_worker()
        present = await fetched(manager, second)
        await manager.finish_job(past, Status.ABORTED, delete_job=False)
        await manager.finish_job(past, Status.SUCCEEDED, delete_job=True)
        await manager.retry_job(past)
        states.append(await manager.get_job_status_async(present.id or 0))
        await manager.finish_job(present, Status.SUCCEEDED, delete_job=True)

    states: list[Status] = []
    in_worker(act)
    assert states == [Status.DOING]
    assert not job.exists()


def test_a_job_that_waits_again_is_not_ended(job: Any) -> None:
    async def act(manager: JobManager) -> None:
        past = await fetched(manager, await manager.register_worker())
        await manager.retry_job(past)
        await manager.finish_job(past, Status.ABORTED, delete_job=False)

    in_worker(act)
    assert job.get().status == "todo"


def test_the_commands_and_the_worker_use_the_fence() -> None:
    assert isinstance(app.job_manager, OwnRuns)
