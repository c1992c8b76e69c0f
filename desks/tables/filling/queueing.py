"""Queues the job that fills a table, in the lane of its person."""

from procrastinate.contrib.django import app

from datasources.lanes import lane_of
from desks.tables.models import ReviewTable


def defer_filling(table: ReviewTable) -> int:
    """Gives the job's id; joins the caller's transaction."""
    task = app.configure_task("fill_table", allow_unknown=False, lock=f"table:{table.pk}")
    return task.defer(table_id=table.pk, lane=lane_of(table.datasource_id, table.made_by_id).place())
