"""Workers that do not do what they are asked to: they end all the same, and their jobs go on elsewhere."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from jobs.models import JobReport, WorkerProcess
from sql import rows
from svq_site.host import heartbeats, supervisor
from svq_site.host.heartbeats import Heartbeats
from svq_site.host.supervisor import Supervisor
from svq_site.management.commands.worker import END_SECONDS
from tests.processes import PATIENCE, lives, url_of_test_database, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

COMMAND = [sys.executable, "-m", "tests.odd_jobs", "worker", "--queue", "upkeep"]
IN_STATEMENT = "SELECT count(*) FROM pg_stat_activity WHERE query ~ '^SELECT pg_sleep' AND state = 'active'"
SLACK = 5.0  # seconds that a busy machine may take longer


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    """Neither jobs that seem to be done by a worker, nor statements that the database has not stopped yet."""
    yield
    ProcrastinateJob.objects.all().delete()
    wait_until(lambda: not statements_that_sleep(), "the end of the statement")


@contextmanager
def worker() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        COMMAND,
        env=os.environ | {"DATABASE_URL": url_of_test_database()},
        cwd=settings.BASE_DIR,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def queue(name: str) -> int:
    return int(app.configure_task(name, queue="upkeep").defer())


def statements_that_sleep() -> int:
    return int(rows(IN_STATEMENT)[0][0])


def silence_of_workers() -> None:
    """As if it had been some time since the last heartbeat of each."""
    rows("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 minute'")


def test_a_worker_without_memory_ends_though_a_thread_waits_for_a_statement() -> None:
    queue("hang")
    with worker() as process:
        wait_until(statements_that_sleep, "the statement")
        queue("greedy")
        assert process.wait(END_SECONDS + SLACK) != 0
        assert process.stderr
        assert "Others take it over" in process.stderr.read()


def test_a_job_that_keeps_to_no_limit_fails_and_ends_its_process_alone() -> None:
    stuck, other = queue("stuck"), queue("hang")
    with worker() as process:
        assert process.wait(PATIENCE) == 1
        assert process.stderr
        assert "stuck took longer than 1 second," in process.stderr.read()
    assert ProcrastinateJob.objects.get(pk=stuck).status == "failed"
    assert JobReport.objects.get(pk=stuck).message == "This took longer than 1 second and was stopped."
    assert ProcrastinateJob.objects.get(pk=other).status == "doing"  # it goes on elsewhere, as after kill -9


def test_what_a_worker_leaves_that_had_to_end_is_done_once_by_another() -> None:
    job = queue("hang")
    with worker() as first:
        wait_until(statements_that_sleep, "the statement")
        first.terminate()
        assert first.wait(END_SECONDS + SLACK) != 0
    wait_until(lambda: not statements_that_sleep(), "the end of the statement")
    assert ProcrastinateJob.objects.filter(pk=job).exists()  # as after kill -9
    silence_of_workers()
    with worker() as second:
        wait_until(lambda: not ProcrastinateJob.objects.filter(pk=job).exists(), "the end of the job")
        second.terminate()
        assert second.wait(END_SECONDS + SLACK) == 0


def test_a_frozen_worker_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", url_of_test_database())
    monkeypatch.setattr(supervisor, "GRACE", 1)
    monkeypatch.setattr(heartbeats, "LOOK_SECONDS", 0.5)
    monkeypatch.setattr(heartbeats, "SILENT_SECONDS", 4)
    told: list[str] = []
    watched = Supervisor({"worker for tests": COMMAND}, told.append)
    pulse = Heartbeats(watched)
    frozen: list[int] = []

    def watch() -> None:
        """Freeze the worker when it was seen alive, and stop when another one works."""
        pulse.look()
        alive = [pid for pid, beat in pulse._pulses.items() if beat.seen]
        if alive and not frozen:
            frozen.append(alive[0])
            os.kill(alive[0], signal.SIGSTOP)
        elif alive and alive[0] != frozen[0]:
            watched.stopping.set()

    signal.signal(signal.SIGALRM, lambda *_: watched.stopping.set())
    signal.alarm(int(PATIENCE))
    watched.run(watch)
    signal.alarm(0)
    assert told == [
        "The worker for tests has given no sign of life for 4 s. It is ended; its jobs go on elsewhere.",
        "The worker for tests was ended by SIGKILL. It starts again in 1 s.",
    ]
    assert not lives(frozen[0])
    assert WorkerProcess.objects.values_list("pid").distinct().count() == 2
