"""`manage.py worker` as a real process: its jobs when it stops, and those of one that has died."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.db import connection
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from chat.models import Turn, TurnStatus
from chat.services import ask
from jobs.retry import Backoff
from svq_site.management.commands.worker import work
from tests.openai_server import MODEL, ScriptedOpenAI, ScriptedReply, tools_reply
from tests.processes import PATIENCE, free_port, url_of_test_database, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def worker(*options: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """A worker for all queues on the test's database, ready for jobs; killed at the end if still there."""
    process = subprocess.Popen(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker", *options],
        env=os.environ | {"DATABASE_URL": url_of_test_database()} | variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def status_of_job(turn: Turn) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT status FROM procrastinate_jobs WHERE id = %s", [turn.job_id])
        row = cursor.fetchone()
    return str(row[0]) if row else "gone"


def status_of_turn(turn: Turn) -> str:
    turn.refresh_from_db()
    return turn.status


def test_a_worker_that_stops_gives_its_turn_back_for_another_to_answer(alice, contracts):
    slow = tools_reply(("answer", {"answer": "No.", "found": "none"}), delay=30.0)
    quick: list[ScriptedReply] = []

    def script(request: dict[str, Any]) -> ScriptedReply:
        return quick[0] if quick else slow

    with ScriptedOpenAI(script) as server:
        model = {"SVQ_LLM_BASE_URL": server.base_url, "SVQ_LLM_MODEL": MODEL}
        turn = ask(alice, contracts, "May we leave early?")
        with worker(**model) as first:
            wait_until(lambda: server.requests)
            first.send_signal(signal.SIGINT)
            first.send_signal(signal.SIGTERM)  # Ctrl-C comes twice: directly and through the parent
            assert first.wait(PATIENCE) == 0
        assert status_of_job(turn) == "todo"
        assert status_of_turn(turn) in {TurnStatus.QUEUED, TurnStatus.RUNNING}
        quick.append(tools_reply(("answer", {"answer": "No.", "found": "none"})))
        with worker(**model) as second:
            wait_until(lambda: status_of_turn(turn) == TurnStatus.NOT_FOUND)
            wait_until(lambda: status_of_job(turn) == "gone")
            second.terminate()
            assert second.wait(PATIENCE) == 0


def test_the_job_of_a_worker_that_has_died_is_taken_over_by_one_that_says_how_it_is(alice, contracts):
    turn = ask(alice, contracts, "May we leave early?")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE procrastinate_jobs SET status = 'doing' WHERE id = %s", [turn.job_id])
    port = free_port()

    def get(path: str, **headers: str) -> tuple[int, str]:
        try:
            response = httpx.get(f"http://127.0.0.1:{port}{path}", headers=headers, timeout=5)
        except httpx.TransportError:
            return 0, ""
        return response.status_code, response.text

    with worker(f"--health-port={port}", SVQ_METRICS_TOKEN="a token") as process:
        wait_until(lambda: get("/readyz")[0] == 200, "a ready worker")
        assert json.loads(get("/readyz")[1]) == {"status": "ok", "worker": "ok", "database": "ok"}
        assert get("/livez")[0] == 200
        wait_until(lambda: status_of_turn(turn) == TurnStatus.NOT_FOUND)
        assert [get(path)[0] for path in ("/metrics", "/", "/healthz")] == [401, 404, 404]
        status, figures = get("/metrics", Authorization="Bearer a token")
        assert status == 200
        assert 'svq_answers_total{status="not_found"} 1.0' in figures
        with socket.create_connection(("127.0.0.1", port)) as rude:
            rude.sendall(b"nothing\r\n\r\n")
            assert rude.recv(100) == b""
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_a_worker_without_memory_leaves_its_jobs_to_a_fresh_one() -> None:
    @app.task(queue="upkeep", name="greedy", retry=Backoff())
    def greedy() -> None:
        raise MemoryError

    pk = greedy.defer()
    asyncio.run(asyncio.wait_for(work(["upkeep"], 1), PATIENCE))
    job = ProcrastinateJob.objects.get(pk=pk)
    assert (job.status, job.attempts) == ("todo", 1)
