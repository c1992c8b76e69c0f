"""Queues the job of a check, in the lane of its person."""

from procrastinate.contrib.django import app

from datasources.lanes import lane_of
from desks.compliance.models import Check


def defer_check(check: Check) -> int:
    """Gives the job's id; joins the caller's transaction."""
    task = app.configure_task("assess", allow_unknown=False, lock=f"assessment:{check.assessment_id}")
    lane = lane_of(check.assessment.datasource_id, check.asked_by_id)
    return task.defer(check_id=check.pk, lane=lane.place())
