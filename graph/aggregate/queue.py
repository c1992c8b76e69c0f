"""Queueing the jobs that follow a change of the graph: by name, for they stand above all that they run."""

from procrastinate.contrib.django import app

from datasources.lanes import lane_of
from ingestion.lifecycle.uploads import AfterUpload
from providers.roles import ModelRole, endpoint

LAYOUT = AfterUpload(task="graph.tasks.lay_out_graph", lock="layout")


def defer_embed_graph(datasource_id: int) -> int:
    """Queue what follows a change: embedding, and judging names; joins the caller's transaction."""
    defer_judging(datasource_id)
    task = app.configure_task("graph.tasks.embed_graph", lock=f"graph:{datasource_id}")
    return task.defer(datasource_id=datasource_id, lane=lane_of(datasource_id).place())


def defer_judging(datasource_id: int) -> None:
    """Queue the question whether names mean one thing, where there is a chat model to ask."""
    if endpoint(datasource_id, ModelRole.JUDGE):
        task = app.configure_task("graph.tasks.judge_pairs", lock=f"judging:{datasource_id}")
        task.defer(datasource_id=datasource_id, lane=lane_of(datasource_id).place())


def defer_extraction(datasource_id: int) -> None:
    """Queue the reading of what the model has not read; joins the caller's transaction."""
    task = app.configure_task("graph.tasks.extract_unread", lock=f"extraction:{datasource_id}")
    task.defer(datasource_id=datasource_id, lane=lane_of(datasource_id).place())


def defer_lay_out_graph(datasource_id: int) -> None:
    """Queue the layout of the graph's drawing, unless that waits in the queue already."""
    LAYOUT.defer(datasource_id)
