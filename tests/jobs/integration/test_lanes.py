"""Workers take jobs in turn: the next is of the person who was served least recently."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from procrastinate import App
from procrastinate.contrib.django import app
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

from jobs.lanes import Lane, ahead, before
from jobs.manager import use_manager
from tests.processes import url_of_test_database
from tests.workers import worker_connector

pytestmark = pytest.mark.django_db(transaction=True)

QUEUE = "lanes"
ANN, BEN, NOBODY = 1, 2, 0


@pytest.fixture(autouse=True)
def _nothing_queued() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM procrastinate_jobs WHERE queue_name = %s", [QUEUE])


def queue(name: str, person: int, datasource: int = 1, *, handicap: float = 0, **more: Any) -> None:
    lane = Lane(person=person, datasource=datasource).place(handicap=handicap)
    app.configure_task(name, queue=QUEUE, **more).defer(lane=lane)


def with_manager(act: Callable[[JobManager], Coroutine[Any, Any, Any]]) -> Any:
    async def run() -> Any:
        worker_app: App = app.with_connector(worker_connector())
        use_manager(worker_app)
        async with worker_app.open_async():
            return await act(worker_app.job_manager)

    return asyncio.run(run())


def order() -> list[str]:
    """The names of all jobs that may start, as one worker gets them that does one at a time."""

    async def act(manager: JobManager) -> list[str]:
        worker, names = await manager.register_worker(), []
        while job := await manager.fetch_job([QUEUE], worker):
            names.append(job.task_name)
            await manager.finish_job(job, Status.SUCCEEDED, delete_job=True)
        return names

    return list(with_manager(act))


def at_once() -> list[str]:
    """The names of the jobs that one worker has at the same time."""

    async def act(manager: JobManager) -> list[str]:
        worker, names = await manager.register_worker(), []
        while job := await manager.fetch_job([QUEUE], worker):
            names.append(job.task_name)
        return names

    return list(with_manager(act))


def test_a_neighbours_job_comes_before_the_second_of_a_flood() -> None:
    for number in range(50):
        queue(f"flood {number}", ANN)
    queue("neighbour", BEN)
    assert order().index("neighbour") <= 1


def test_many_datasources_give_nobody_more_turns() -> None:
    for number in range(20):
        queue(f"flood {number}", ANN, datasource=number)
    for number in range(3):
        queue(f"neighbour {number}", BEN, datasource=99)
    assert [place for place, name in enumerate(order()) if name.startswith("neighbour")] in (
        [0, 2, 4],
        [1, 3, 5],
    )


def test_the_datasources_of_a_person_take_turns_too() -> None:
    for number in range(10):
        queue(f"first {number}", ANN, datasource=1)
    queue("second", ANN, datasource=2)
    assert order().index("second") <= 1


def test_small_work_overtakes_large_work_of_the_same_person_but_not_for_ever() -> None:
    queue("large", ANN, handicap=60)
    queue("small", ANN)
    queue("late", ANN, handicap=120)  # as if it had been queued long after the large one
    assert order() == ["small", "large", "late"]


def test_a_person_has_no_more_at_once_than_the_limit(settings: Any) -> None:
    settings.JOB_LIMITS = {QUEUE: {"worker": 3, "person": 2}}
    for number in range(5):
        queue(f"flood {number}", ANN)
    assert len(at_once()) == 2
    queue("neighbour", BEN)
    assert at_once() == ["neighbour"]


def test_persons_who_wait_share_equally(settings: Any) -> None:
    settings.JOB_LIMITS = {QUEUE: {"worker": 4, "person": 4}}
    for person in (ANN, BEN):
        for number in range(5):
            queue(f"{person}", person, datasource=number)
    assert sorted(at_once()) == ["1", "1", "2", "2"]


def test_what_belongs_to_nobody_is_not_limited(settings: Any) -> None:
    settings.JOB_LIMITS = {QUEUE: {"worker": 1, "person": 1}}
    queue("flood", ANN)
    queue("flood", ANN)
    app.configure_task("periodic", queue=QUEUE).defer()
    assert sorted(at_once()) == ["flood", "periodic"]


def test_what_belongs_to_nobody_is_limited_where_it_takes_long(settings: Any) -> None:
    settings.JOB_LIMITS = {QUEUE: {"worker": 3, "person": 2, "nobody": 1}}
    for _ in range(3):
        app.configure_task("periodic", queue=QUEUE).defer()
    queue("asked for", ANN)
    assert sorted(at_once()) == ["asked for", "periodic"]


def test_the_place_in_the_lane_stays_out_of_the_task_and_survives_a_retry() -> None:
    async def act(manager: JobManager) -> list[Job]:
        worker, jobs = await manager.register_worker(), []
        for _ in range(2):
            job = await manager.fetch_job([QUEUE], worker)
            assert job
            jobs.append(job)
            await manager.retry_job(job)
        return jobs

    app.configure_task("read", queue=QUEUE).defer(document_id=7, lane=Lane(person=ANN, datasource=1).place())
    assert [job.task_kwargs for job in with_manager(act)] == [{"document_id": 7}] * 2
    queue("flood", BEN)
    assert order()[0] == "flood"  # the one that was tried again had its turn


def test_a_lock_admits_one_job_at_a_time_and_the_lane_goes_on_behind_it() -> None:
    queue("first of the lock", ANN, lock="same")
    queue("second of the lock", ANN, lock="same")
    queue("another", ANN)
    assert sorted(at_once()) == ["another", "first of the lock"]


def test_a_job_for_later_waits_and_holds_up_no_other() -> None:
    queue("later", ANN, schedule_in={"seconds": 3600})
    queue("now", ANN)
    assert order() == ["now"]


def test_two_workers_never_get_the_same_job() -> None:
    async def act(manager: JobManager) -> list[int]:
        workers = [await manager.register_worker() for _ in range(4)]

        async def take(worker: int) -> list[int]:
            taken = []
            while job := await manager.fetch_job([QUEUE], worker):
                assert job.id
                taken.append(job.id)
            return taken

        return [job for taken in await asyncio.gather(*map(take, workers)) for job in taken]

    for number in range(60):
        queue("any", ANN + number % 3)
    taken = with_manager(act)
    assert len(taken) == len(set(taken)) == 60


def test_a_worker_that_decides_holds_up_no_other() -> None:
    """As when it is slow to do so: its transaction is not committed yet."""
    for person in (ANN, BEN):
        for number in range(2):
            queue(f"{person} {number}", person)
    fetch = "SELECT task_name FROM fetch_known_job_in_turn(%s, %s, '{}', NULL)"
    with psycopg.connect(url_of_test_database()) as slow, psycopg.connect(url_of_test_database()) as quick:
        quick.execute("SET statement_timeout = '10s'")
        workers = [
            quick.execute("INSERT INTO procrastinate_workers DEFAULT VALUES RETURNING id").fetchone()
            for _ in range(2)
        ]
        quick.commit()
        first, second = (worker[0] for worker in workers if worker)
        assert slow.execute(fetch, [[QUEUE], first]).fetchall() == [("1 0",)]
        assert quick.execute(fetch, [[QUEUE], second]).fetchall() == [("2 0",)]
        quick.commit()
        assert quick.execute(fetch, [[QUEUE], second]).fetchall() == [("2 1",)], "ann's are not decided yet"
        slow.commit()
        quick.commit()
        assert quick.execute(fetch, [[QUEUE], second]).fetchall() == [("1 1",)]


def test_workers_that_fetch_side_by_side_keep_to_the_limit_of_a_person(settings: Any) -> None:
    settings.JOB_LIMITS = {QUEUE: {"worker": 50, "person": 2}}

    async def act(manager: JobManager) -> list[str]:
        workers = [await manager.register_worker() for _ in range(8)]
        jobs = await asyncio.gather(*(manager.fetch_job([QUEUE], worker) for worker in workers))
        return [job.task_name for job in jobs if job]

    for person in (ANN, BEN):
        for number in range(20):
            queue(f"{person}", person, datasource=number)
    taken = with_manager(act)
    assert taken.count("1") <= 2
    assert taken.count("2") <= 2
    assert {*taken, *at_once()} == {"1", "2"}


def flood(jobs: int) -> None:
    """So many jobs of ann in one lane, and the statistics that let Postgres know of them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args) "
            "SELECT %s, 'flood', 'lock ' || n, jsonb_build_object('lane', jsonb_build_object("
            "'person', 1, 'datasource', 1, 'due', n)) FROM generate_series(1, %s) n",
            [QUEUE, jobs],
        )
        cursor.execute("ANALYZE procrastinate_jobs")


def seconds_of_a_fetch() -> float:
    async def act(manager: JobManager) -> float:
        worker, seconds = await manager.register_worker(), []
        for _ in range(20):
            begun = time.perf_counter()
            assert await manager.fetch_job([QUEUE], worker)
            seconds.append(time.perf_counter() - begun)
        return min(seconds)

    return float(with_manager(act))


def test_the_next_job_is_as_soon_found_in_a_long_queue() -> None:
    """By the index: one look takes no longer when a person has queued a thousand times as much."""
    flood(25)
    short = seconds_of_a_fetch()
    flood(25_000)
    assert seconds_of_a_fetch() < 3 * short


def test_it_is_told_how_many_of_the_same_person_come_before() -> None:
    names = ["old", "large", "small", "elsewhere"]
    places = [(1, 0.0), (1, 600.0), (1, 60.0), (2, 0.0)]
    ids = {}
    for name, (datasource, handicap) in zip(names, places, strict=True):
        lane = Lane(person=ANN, datasource=datasource).place(handicap=handicap)
        ids[name] = app.configure_task("read", queue=QUEUE).defer(lane=lane, name=name)
    for number in range(5):
        queue(f"of others {number}", BEN)
    told = before(list(ids.values()))
    taken: list[str] = []

    async def act(manager: JobManager) -> None:
        worker = await manager.register_worker()
        while job := await manager.fetch_job([QUEUE], worker):
            if job.task_name == "read":
                taken.append(str(job.task_kwargs["name"]))

    with_manager(act)
    assert sorted(names, key=lambda name: told[ids[name]]) == taken
    assert sorted(told.values()) == [0, 1, 2, 3]
    assert before(list(ids.values())) == {}  # they wait no longer


def test_what_waits_for_other_workers_is_not_walked_through() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, args, status) "
            "SELECT 'others', 'flood', jsonb_build_object('lane', jsonb_build_object('person', n)), 'todo' "
            "FROM generate_series(1, 500) AS n"
        )
        queue("mine", ANN)
        cursor.execute("INSERT INTO procrastinate_workers DEFAULT VALUES RETURNING id")
        (worker,) = cursor.fetchone()
        cursor.execute("ANALYZE procrastinate_jobs")
        cursor.execute("SET LOCAL enable_seqscan = off")  # as with many jobs
        before = read_so_far(cursor)
        cursor.execute("SELECT task_name FROM fetch_known_job_in_turn(%s, %s, '{}', NULL)", [[QUEUE], worker])
        assert cursor.fetchall() == [("mine",)]
        assert read_so_far(cursor) - before < 100
        cursor.execute("SELECT count(*) FROM fetch_known_job_in_turn(NULL, %s, '{}', NULL)", [worker])
        assert cursor.fetchall() == [(1,)], "a worker without named queues serves them all"
        transaction.set_rollback(True)


def read_so_far(cursor: Any) -> int:
    """Rows of jobs that this transaction has read."""
    cursor.execute(
        "SELECT idx_tup_fetch + seq_tup_read FROM pg_stat_xact_user_tables "
        "WHERE relname = 'procrastinate_jobs'"
    )
    return int(cursor.fetchone()[0])


def test_the_place_of_a_job_is_how_many_are_taken_before_it() -> None:
    for number in range(5):
        queue(f"flood {number}", ANN, datasource=number % 2)
    for number in range(3):
        queue(f"neighbour {number}", BEN)
    queue("upkeep", NOBODY)
    places = {name_of(job): before_it for job, before_it in ahead(waiting()).items()}
    taken = order()
    assert {name: taken.index(name) for name in taken} == places


def test_a_job_that_was_taken_has_no_place() -> None:
    queue("only", ANN)
    (job,) = waiting()
    at_once()
    assert ahead([job]) == {}
    assert ahead([]) == {}


def waiting() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM procrastinate_jobs WHERE queue_name = %s", [QUEUE])
        return [pk for (pk,) in cursor.fetchall()]


def name_of(job: int) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT task_name FROM procrastinate_jobs WHERE id = %s", [job])
        return str(cursor.fetchone()[0])
