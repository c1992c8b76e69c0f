"""A job is ended by the worker that does it, and by no other."""

import asyncio
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from procrastinate import App
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob, ProcrastinateWorker
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

from jobs.manager import use_manager
from jobs.own_runs import OwnRuns
from jobs.tasks import retry_stalled
from tests.workers import worker_connector

pytestmark = pytest.mark.django_db(transaction=True)

QUEUES = ["fence"]


def in_worker(act: Callable[[JobManager], Coroutine[Any, Any, None]]) -> None:
    """Do it with the manager of a worker's app."""

    async def run() -> None:
        worker_app: App = app.with_connector(worker_connector())
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


def test_a_job_that_was_queued_again_meanwhile_keeps_no_other_from_the_living() -> None:
    """Two jobs of a worker that died: of the first, another one waits already."""
    task = app.configure_task("fence", queue="fence", queueing_lock="fence:1")

    async def act(manager: JobManager) -> None:
        dead = await manager.register_worker()
        taken = [await fetched(manager, dead)]
        again.append(await sync_to_async(task.defer)())
        other.append(await sync_to_async(app.configure_task("fence", queue="other").defer)())
        taken.append(await manager.fetch_job(["other"], dead) or pytest.fail("nothing waits"))
        await sync_to_async(forget_heartbeat)(dead)
        context: Any = SimpleNamespace(app=SimpleNamespace(job_manager=manager))
        await retry_stalled(context, timestamp=0)

    first, again, other = task.defer(), list[int](), list[int]()
    in_worker(act)
    mine = ProcrastinateJob.objects.filter(task_name="fence")  # other tests leave theirs
    states = dict(mine.values_list("pk", "status"))
    assert states == {first: "aborted", again[0]: "todo", other[0]: "todo"}


def forget_heartbeat(worker: int) -> None:
    ProcrastinateWorker.objects.filter(pk=worker).update(last_heartbeat="2001-01-01T00:00:00Z")


def test_the_commands_and_the_worker_use_the_fence() -> None:
    assert isinstance(app.job_manager, OwnRuns)
