"""`manage.py` with jobs that only tests have: python -m tests.odd_jobs worker --queue upkeep ..."""

import os
import sys
import time

from django.core.management import execute_from_command_line
from procrastinate import JobContext

from jobs import time_limit
from jobs.retry import Backoff
from jobs.time_limit import TimeLimit
from sql import rows
from svq_site.host.memory import load_apps


def hang(context: JobContext) -> None:
    """At its first attempt, inside one statement of the database."""
    if context.job.attempts == 0:
        rows("SELECT pg_sleep(600)")


def greedy() -> None:
    raise MemoryError


def stuck() -> None:
    """It never looks whether it is to end."""
    time.sleep(600)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
    load_apps()
    from procrastinate.contrib.django import app

    app.task(name="hang", queue="upkeep", retry=Backoff(), pass_context=True)(hang)
    time_limit.OVERRUN = 0.5
    app.task(name="stuck", queue="upkeep", retry=Backoff(), task_middleware=[TimeLimit(1)])(stuck)
    app.task(name="greedy", queue="upkeep", retry=Backoff())(greedy)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
