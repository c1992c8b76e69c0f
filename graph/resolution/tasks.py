"""The job that has a model decide about pairs of names."""

from django.db import OperationalError, close_old_connections
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.exceptions import JobAborted

from datasources.models import Datasource
from graph.extraction.extract import by_model
from graph.resolution.judging import judge
from graph.tasks import defer_embed_graph
from ingestion.run import Stopped, is_paused
from jobs.retry import Backoff, Transient


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def judge_pairs(context: JobContext, datasource_id: int) -> None:
    """Ask about what is open. Pairs that get no answer stay with people until the next upload asks again."""
    close_old_connections()
    datasource = Datasource.objects.filter(pk=datasource_id).first()
    if datasource is None or not by_model(datasource):
        return

    def go_on() -> None:
        if context.should_abort():
            raise JobAborted
        if is_paused(datasource_id):
            raise Stopped

    try:
        if judge(datasource, go_on):
            defer_embed_graph(datasource_id)
    except Stopped:
        return
    except OperationalError as error:
        raise Transient(str(error)) from error
