"""Jobs of a desk that is left out, or of a version that other hosts run already, wait for who knows them."""

from collections.abc import Iterator

import pytest
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateEvent, ProcrastinateJob

from accounts.models import User
from datasources.models import Datasource
from sql import rows
from tests.desks import WITH_ALL
from tests.workers import run_worker

pytestmark = [pytest.mark.django_db(transaction=True), WITH_ALL]


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    """What waits for nobody stays after a test, unless it removes it."""
    yield
    ProcrastinateJob.objects.all().delete()


def test_a_job_of_a_desk_that_is_left_out_waits_until_it_is_back(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app.perform_import_paths()
    other = app.tasks["evaluate"]
    waiting = [app.configure_task("evaluate", queue="runs").defer(run_id=number) for number in range(3)]
    filling = app.configure_task("fill_table", queue="runs").defer(table_id=1)
    monkeypatch.delitem(app.tasks, "evaluate")
    run_worker("runs")
    jobs = ProcrastinateJob.objects.filter(task_name="evaluate")
    states = jobs.values_list("pk", "status", "attempts", "scheduled_at")
    assert sorted(states) == [(pk, "todo", 0, None) for pk in waiting]
    assert not ProcrastinateJob.objects.filter(pk=filling).exists(), "done: it holds up nothing else"
    told = [record.getMessage() for record in caplog.records if record.name == "jobs.unknown"]
    assert told == [
        "Jobs of the kind evaluate wait: nothing in this version of SVQ does them, or their desk is left out"
        " (SVQ_LEAVE_OUT). They are kept."
    ]
    assert "Traceback" not in caplog.text
    monkeypatch.setitem(app.tasks, "evaluate", other)
    run_worker("runs")
    assert not jobs.exists(), "done"


def test_it_is_never_given_to_a_worker_that_cannot_do_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another host may be able to: it finds the job as it was queued."""
    app.perform_import_paths()
    monkeypatch.delitem(app.tasks, "evaluate")
    job = app.configure_task("evaluate", queue="runs").defer(run_id=1)
    run_worker("runs")
    events = ProcrastinateEvent.objects.filter(job=job).values_list("type", flat=True)
    assert list(events) == ["deferred"]


def test_it_keeps_no_other_job_of_its_lock_from_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    app.perform_import_paths()
    monkeypatch.delitem(app.tasks, "evaluate")
    app.configure_task("evaluate", queue="runs", lock="document:1", priority=5).defer(run_id=1)
    filling = app.configure_task("fill_table", queue="runs", lock="document:1").defer(table_id=1)
    run_worker("runs")
    assert not ProcrastinateJob.objects.filter(pk=filling).exists(), "done"


def test_while_one_of_its_lock_runs_elsewhere_no_other_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    app.perform_import_paths()
    monkeypatch.delitem(app.tasks, "evaluate")
    elsewhere = app.configure_task("evaluate", queue="runs", lock="document:1").defer(run_id=1)
    rows("UPDATE procrastinate_jobs SET status = 'doing' WHERE id = %s", elsewhere)
    filling = app.configure_task("fill_table", queue="runs", lock="document:1").defer(table_id=1)
    run_worker("runs")
    assert ProcrastinateJob.objects.get(pk=filling).status == "todo"
