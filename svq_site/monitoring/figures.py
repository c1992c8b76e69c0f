"""Figures that are looked up when Prometheus asks: what the database knows, and what this process holds.

Each statement of the database may take a second; one that takes longer is left out, and `svq_figures_missing`
says so. Every web process of a deployment tells the same figures of the database: take `max` of them.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.db import Error
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from events.open_streams import of_persons
from sql.time_limit import TooSlow, time_limit
from svq_site.host import disk
from svq_site.monitoring.sql import query
from svq_site.serving.connections import connections

STATEMENT_SECONDS = 1.0
FRESH_SECONDS = 5.0  # several that ask at once are told the same
MOST_MODELS = MOST_TABLES = 20
FRESH_WORKER = settings.PROCRASTINATE_WORKER_DEFAULTS["stalled_worker_timeout"]
QUEUES = sorted({*settings.JOB_LIMITS, settings.ALWAYS_SERVED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement with the labels that its first columns are, and a figure by each of the others.

    A figure that ends in `_total` only grows.
    """

    name: str
    labels: tuple[str, ...] = ()
    figures: Mapping[str, str]  # what each means, by its name
    values: Callable[[], dict[str, Any]] = dict


STATEMENTS = (
    Statement(
        name="jobs",
        labels=("queue",),
        figures={
            "svq_jobs_ready": "Jobs that wait and may start now.",
            "svq_jobs_later": "Jobs that are to start later, such as another attempt.",
            "svq_jobs_running": "Jobs that a worker does.",
            "svq_jobs_failed": "Jobs that have failed in the last three days.",
            "svq_lanes": "Lanes in which jobs wait: one for each person and datasource.",
        },
        values=lambda: {"queues": QUEUES},
    ),
    Statement(
        name="oldest",
        labels=("queue",),
        figures={"svq_oldest_ready_job_seconds": "How long the oldest job that may start has waited."},
        values=lambda: {"queues": QUEUES},
    ),
    Statement(
        name="workers",
        figures={"svq_workers": "Workers that live, on all hosts."},
        values=lambda: {"fresh": FRESH_WORKER},
    ),
    Statement(name="documents", labels=("status",), figures={"svq_documents": "Documents by their state."}),
    Statement(
        name="spending",
        labels=("model",),
        figures={
            "svq_month_calls": "Calls of models since the first of the month.",
            "svq_month_prompt_tokens": "Tokens sent to models since the first of the month.",
            "svq_month_completion_tokens": "Tokens written by models since the first of the month.",
            "svq_month_money": "What models have cost since the first of the month, where prices are known.",
        },
        values=lambda: {"first": timezone.localdate().replace(day=1), "most": MOST_MODELS},
    ),
    Statement(
        name="connections",
        labels=("state",),
        figures={"svq_postgres_connections": "Connections to the database by their state."},
    ),
    Statement(
        name="postgres",
        figures={
            "svq_postgres_database_bytes": "Size of the database.",
            "svq_postgres_max_connections": "How many connections Postgres takes.",
            "svq_postgres_commits_total": "Transactions that were committed.",
            "svq_postgres_rollbacks_total": "Transactions that were rolled back.",
            "svq_postgres_deadlocks_total": "Deadlocks.",
            "svq_postgres_blocks_read_total": "Blocks that were not in Postgres's own memory.",
            "svq_postgres_blocks_hit_total": "Blocks that were.",
            "svq_postgres_temporary_bytes_total": "Bytes written to temporary files.",
            "svq_postgres_notification_queue": "How full the queue of notifications is, from 0 to 1.",
            "svq_postgres_oldest_transaction_seconds": "Age of the oldest open transaction.",
        },
    ),
    Statement(
        name="tables",
        labels=("table",),
        figures={"svq_postgres_table_bytes": "Size of the largest tables with their indexes."},
        values=lambda: {"most": MOST_TABLES},
    ),
)


class Figures:
    """A collector for prometheus_client. Threads may share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._known: list[Metric] = []
        self._until = 0.0

    def collect(self) -> Iterable[Metric]:
        with self._lock:
            if self._clock() >= self._until:
                self._known = [*of_database(), *of_process()]
                self._until = self._clock() + FRESH_SECONDS
            return self._known


def of_database() -> Iterator[Metric]:
    missing = GaugeMetricFamily(
        "svq_figures_missing", "Whether these figures of the database could not be read.", labels=["figures"]
    )
    is_away = False  # then no other statement waits for the database
    for statement in STATEMENTS:
        families = list(map(partial(_family, statement), statement.figures))
        rows: list[tuple[Any, ...]] | None = None
        try:
            if not is_away:
                rows = _rows(statement)
        except TooSlow:
            pass
        except Error:
            is_away = True
        missing.add_metric([statement.name], int(rows is None))
        count = len(statement.labels)
        for row in rows or ():
            for family, value in zip(families, row[count:], strict=True):
                family.add_metric(list(map(str, row[:count])), value)
        yield from families
    yield missing


def _rows(statement: Statement) -> list[tuple[Any, ...]]:
    """Raises TooSlow, django.db.Error."""
    with time_limit(STATEMENT_SECONDS):
        return query(statement.name, **statement.values())


def _family(statement: Statement, name: str) -> Any:
    kind = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
    return kind(name, statement.figures[name], labels=statement.labels)


def of_process() -> Iterator[Metric]:
    yield GaugeMetricFamily("svq_event_streams", "Open event streams of this process.", of_persons.total())
    busy, total = connections.busy()
    yield GaugeMetricFamily("svq_connections_busy", "Connections of clients with a request.", busy)
    yield GaugeMetricFamily("svq_connections_limit", "How many there can be.", total)
    yield GaugeMetricFamily("svq_disk_free_bytes", "Free space on the disk of the data folder.", disk.free())
