"""manage.py worker: does queued jobs until it is stopped or loses its database."""

import argparse
import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from procrastinate import JobContext, PsycopgConnector
from procrastinate.contrib.django import app
from procrastinate.exceptions import ConnectorException
from procrastinate.worker import Worker

from answering.models import answer_model
from datasources.numbers import whole
from jobs.direct import direct_parameters
from jobs.manager import use_manager
from jobs.processes import Process, this_process
from jobs.reports import reporting
from jobs.time_limit import END_PROCESS
from providers.embedders import embedder
from providers.protocols import ProviderError
from svq_site.database import pooler
from svq_site.host import priority
from svq_site.host.checks import refuse_tables_of_left_out_desks
from svq_site.host.ending import end_now, end_within
from svq_site.host.health import worker_name
from svq_site.host.memory import keep_what_is_loaded, limit_memory, return_freed_memory
from svq_site.host.parent import die_with_parent
from svq_site.monitoring.probe_server import Probes
from svq_site.monitoring.tracing import tracing

QUEUES = ("agent", "ingest", "runs", "upkeep", "heavy")
WITH = {"ingest": ["ocr"], "agent": ["quotes"]}  # of documents too; answers without a language model
FOR_NOBODY = 2  # jobs at the same time, beside those of people: such as giving back those of dead workers
MOST_AT_ONCE = 1000
AGENT_GRACE = 5  # seconds for running turns to end; files stop at their next batch and go on elsewhere
END_SECONDS = 7  # after that the process ends as it is, whatever a thread still waits for

logger = logging.getLogger(__name__)


class DatabaseGone(Exception):
    """The worker can't go on. Its jobs are given to another one."""


class Command(BaseCommand):
    help = "Does queued jobs: answers questions, reads files, cleans up."
    requires_system_checks = ()  # they load every page, which no job needs; `migrate` has made them

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--queue", action="append", dest="queues", choices=QUEUES, help="May be repeated. Default: all."
        )
        parser.add_argument("--make-way", action="store_true", help="Let other processes come first.")
        add_common_arguments(parser)

    def handle(
        self,
        *args: Any,
        queues: list[str] | None,
        concurrency: int | None,
        name: str | None,
        make_way: bool,
        health_port: int | None,
        health_host: str,
        **options: Any,
    ) -> None:
        refuse_tables_of_left_out_desks()
        die_with_parent()
        return_freed_memory()
        if make_way:
            priority.make_way()
        queues = queues or list(QUEUES)
        if pooler.may_go_through(queues):
            pooler.go_through()
        process = this_process(name or f"worker for {', '.join(queues)}")
        concurrency = concurrency or FOR_NOBODY + jobs_of_people(served(queues))
        try:
            tracing.start(process.name)
            load(queues)
            keep_what_is_loaded()
            limit_memory(settings.WORKER_MEMORY_BYTES)
            probes = (health_host, health_port) if health_port else None
            asyncio.run(work(queues, concurrency, process, end_anyway, end_now, probes))
        except ProviderError as error:
            raise CommandError(error.message) from error
        except (ConnectorException, DatabaseGone, psycopg.OperationalError) as error:
            raise CommandError(
                "The worker has lost its database and ends. No job is lost: another worker, or this one"
                " started again, takes them over."
            ) from error


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """Those of every worker, whatever its queues."""
    parser.add_argument("--name", help="What people see it called.")
    parser.add_argument("--concurrency", type=whole(1, MOST_AT_ONCE), help="Jobs at the same time.")
    parser.add_argument(
        "--health-port", type=whole(1, 65535), help="Answer /livez, /readyz and /metrics at this port."
    )
    parser.add_argument("--health-host", default="127.0.0.1", help="Default: 127.0.0.1.")


def served(queues: Iterable[str]) -> list[str]:
    """These and the queues that belong to them."""
    return sorted(
        {settings.ALWAYS_SERVED, *queues, *(each for queue in queues for each in WITH.get(queue, ()))}
    )


def load(queues: Collection[str]) -> None:
    """The models that the first job would wait for. Raises ProviderError."""
    if {"agent", "ingest"} & set(queues):
        embedder()
    if "agent" in queues:
        answer_model()


def end_anyway() -> None:
    end_within(
        END_SECONDS,
        f"A job did not stop within {END_SECONDS} s, so this worker ends without it. Others take it over.",
    )


def threads(queues: list[str]) -> int:
    """For the jobs that are not coroutines: all but the turns."""
    return FOR_NOBODY + jobs_of_people(set(served(queues)) - {"agent", "quotes"})


def jobs_of_people(queues: Iterable[str]) -> int:
    """How many of them a worker does at the same time."""
    return sum(settings.JOB_LIMITS[queue]["worker"] for queue in queues if queue in settings.JOB_LIMITS)


async def work(
    queues: list[str],
    concurrency: int,
    process: Process | None = None,
    stopping: Callable[[], None] = lambda: None,
    end_process: Callable[[str], None] | None = None,
    probes: tuple[str, int] | None = None,
) -> None:
    """Run until SIGTERM or SIGINT, or out of memory; `stopping` is called before the end of jobs is awaited,
    `end_process` where a job does not keep to its time limit. `probes`: host and port to say at how it is.

    Raises DatabaseGone, ConnectorException, OSError where that port is taken.
    """
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(threads(queues), "job"))
    parameters = direct_parameters() | {"application_name": worker_name(queues)}
    # Not `replace_connector`: jobs that a job queues have to join its Django transaction, as everywhere.
    worker_app = app.with_connector(PsycopgConnector(kwargs=parameters, min_size=1, max_size=4))
    use_manager(worker_app, process)
    stop = asyncio.Event()

    async def stopping_without_memory(
        job: Callable[[], Awaitable[Any]], context: JobContext, worker: Worker
    ) -> Any:
        """A process that has run out of memory stays short of it: jobs continue in a new process."""
        try:
            return await job()
        except MemoryError:
            logger.warning("This worker has run out of memory and ends. Others take its jobs over.")
            stop.set()
            raise

    served_probes = Probes(os.getpid(), stop.is_set).served(*probes) if probes else nullcontext()
    async with worker_app.open_async(), served_probes:
        worker = asyncio.create_task(
            worker_app.run_worker_async(
                queues=served(queues),
                name="-".join(queues),
                concurrency=concurrency,
                shutdown_graceful_timeout=AGENT_GRACE if "agent" in queues else 0,
                install_signal_handlers=False,
                worker_middleware=[stopping_without_memory, reporting],
                additional_context={END_PROCESS: end_process},
            )
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            # Stopping twice stops once: Ctrl-C reaches this process directly and through its parent.
            loop.add_signal_handler(number, stop.set)
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait([worker, stopped], return_when=asyncio.FIRST_COMPLETED)
        stopping()
        if not stop.is_set():
            stopped.cancel()
            await worker  # raises what ended it
            raise DatabaseGone
        worker.cancel()
        await asyncio.wait([worker])
