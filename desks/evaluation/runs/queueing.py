"""Queues the job of a run, in the lane of its person."""

from procrastinate.contrib.django import app

from datasources.lanes import lane_of
from desks.evaluation.models import Run


def defer_run(run: Run) -> int:
    """Gives the job's id; joins the caller's transaction."""
    task = app.configure_task("evaluate", allow_unknown=False, lock=f"evaluation:{run.pk}")
    return task.defer(run_id=run.pk, lane=lane_of(run.datasource_id, run.asked_by_id).place())
