"""Lets something happen in the middle of a scenario, starts again, and looks at what is left."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from procrastinate.contrib.django.models import ProcrastinateJob, ProcrastinatePeriodicDefer

from tests.conftest import run_jobs
from tests.database import empty
from tests.faults.picture import Picture, left_over, picture
from tests.faults.scenarios import Scenario, Stage, results
from tests.processes import PATIENCE, url_of_test_database, with_models

HOW_MANY = int(os.environ.get("SVQ_FAULTS", "0"))  # at random in each kind of work: by `make faults`, else 0
ROUNDS = 12  # of jobs, each of which may queue others


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """struck: whether it happened before the work was done. wrong: what should not be, in words."""

    struck: bool
    wrong: list[str] = field(default_factory=list)


EXPECTED: dict[str, Picture] = {}
STATEMENTS: dict[str, int] = {}
NEVER = 10**9


def undisturbed(scenario: Scenario, make_stage: Any) -> Picture:
    """What the scenario comes to when nothing happens."""
    if scenario.name not in EXPECTED:
        stage: Stage = make_stage()
        scenario.begin(stage)
        finish(stage)
        EXPECTED[scenario.name] = picture(stage.datasource, results(stage))
        assert EXPECTED[scenario.name].rows
        assert not left_over()
        stage.cleanup.close()
        empty()
    return EXPECTED[scenario.name]


def disturbed(
    scenario: Scenario, make_stage: Any, where: tuple[Any, ...], *, fault: str = "kill", clock: float = 0
) -> Outcome:
    """Run it in a process to which that happens there; then do the rest here."""
    expected = undisturbed(scenario, make_stage)
    stage: Stage = make_stage()
    scenario.begin(stage)
    struck = strike(stage, where, fault, clock)
    finish(stage)
    wrong = picture(stage.datasource, results(stage)).difference(expected) + left_over()
    wrong += [f"job that {job.status}: {job.task_name}" for job in unended()]
    twice = sum(number - 1 for number in stage.paid().values())
    if twice > scenario.under_way:
        wrong.append(f"{twice} requests were paid twice, at most {scenario.under_way} were under way")
    return Outcome(struck=struck, wrong=wrong)


def strike(stage: Stage, where: tuple[Any, ...], fault: str, clock: float) -> bool:
    """Whether it happened before the work was done."""
    process = run(stage, where, fault, clock)
    struck = "struck" in process.stdout
    if fault == "kill":
        assert process.returncode == (-signal.SIGKILL if struck else 0), process.stderr[-4000:]
    return struck


def statements(scenario: Scenario, make_stage: Any) -> int:
    """How many the product sends to the database when nothing happens."""
    if scenario.name not in STATEMENTS:
        stage: Stage = make_stage()
        scenario.begin(stage)
        process = run(stage, ("statement", NEVER), "kill", 0)
        STATEMENTS[scenario.name] = int(process.stdout.split()[-1])
        stage.cleanup.close()
        empty()
    return STATEMENTS[scenario.name]


def run(stage: Stage, where: tuple[Any, ...], fault: str, clock: float) -> subprocess.CompletedProcess[str]:
    if not (stage.folder / "models").exists():
        with_models(stage.folder)
    environment = (
        os.environ
        | stage.environment
        | {
            "DATABASE_URL": url_of_test_database(),
            "SVQ_DATA_DIR": str(stage.folder),
            "DJANGO_SETTINGS_MODULE": "svq_site.settings",
            "FAULT": fault,
            "CLOCK": str(clock),
        }
    )
    return subprocess.run(
        [sys.executable, "-m", "tests.killed", *map(str, where)],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE * 3,
    )


def finish(stage: Stage) -> None:
    """Start again and do all work until nothing is queued any more, without waiting for anybody's time."""
    reconnect()
    if command := stage.environment.get("COMMAND"):
        call_command(*json.loads(command), stdout=io.StringIO())
    for _ in range(ROUNDS):
        ProcrastinateJob.objects.filter(status="doing").update(status="todo")  # as retry_stalled does
        ProcrastinateJob.objects.filter(status="todo").update(scheduled_at=None)
        run_jobs()
        if not ProcrastinateJob.objects.filter(status__in=("todo", "doing")).exists():
            return
    raise AssertionError(f"jobs without end: {[job.task_name for job in unended()]}")


def unended() -> list[Any]:
    """Without upkeep that met the full disk: its time comes again, and then it does all that is due."""
    jobs = ProcrastinateJob.objects.filter(status__in=("todo", "doing", "failed"))
    upkeep = ProcrastinatePeriodicDefer.objects.exclude(job=None)
    return list(jobs.exclude(status="failed", pk__in=upkeep.values("job")))


def reconnect() -> None:
    """The database may have dropped this process, too, and may be recovering."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection.close()
            ProcrastinateJob.objects.exists()
            return
        except DatabaseError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
