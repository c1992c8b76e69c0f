"""What the workers do now, what waits for them, and what has failed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from procrastinate.contrib.django import app
from procrastinate.tasks import Task

from jobs.sql import statements
from jobs.time_limit import limit_of

MOST = 100  # rows of a list


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A job that a worker does. `limit`: the seconds that it may take; `total` is 0 where nobody knows."""

    id: int
    task: str
    datasource: int | None
    worker: str
    since: datetime | None
    done: float
    total: float
    limit: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Jobs of one kind: so many may start now, so many later; since when the first of them waits. is_known:
    whether anything here does such jobs (see jobs.unknown).
    """

    task: str
    now: int
    later: int
    since: datetime | None
    is_known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A job that is not tried again, and why, as far as it was written down."""

    id: int
    task: str
    datasource: int | None
    message: str
    since: datetime | None


def running() -> list[Running]:
    """The longest first."""
    return [
        Running(
            id=pk,
            task=task,
            datasource=datasource,
            worker=worker or "",
            since=since,
            done=done,
            total=total,
            limit=_limit(task),
        )
        for pk, task, datasource, worker, since, done, total in statements.rows("running_jobs", most=MOST)
    ]


def waiting() -> list[Waiting]:
    """By kind, the most first."""
    known = _tasks()
    return [
        Waiting(task=task, now=now, later=later, since=since, is_known=task in known)
        for task, now, later, _, since in statements.rows("waiting_jobs")
    ]


def failed() -> list[Failed]:
    """The latest first."""
    return [
        Failed(id=pk, task=task, datasource=datasource, message=message, since=since)
        for pk, task, datasource, message, since in statements.rows("failed_jobs", most=MOST)
    ]


@cache
def _limit(task: str) -> float | None:
    known = _tasks().get(task)
    return limit_of(known) if known else None


def _tasks() -> Mapping[str, Task[Any, Any, Any]]:
    app.perform_import_paths()  # a web server knows only the tasks that it queues by their functions
    return app.tasks
