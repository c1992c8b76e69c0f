"""The job that embeds what the graph has learned."""

from django.db import OperationalError, close_old_connections
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.exceptions import JobAborted

from ingestion.graph import vectors
from ingestion.retry import Backoff, Transient
from providers.base import ProviderError
from providers.configured import embedder

MAX_ATTEMPTS = 6


def defer_embed_graph(datasource_id: int) -> int:
    """Queue the embedding of changed entities and relations; joins the caller's transaction."""
    return embed_graph.configure(lock=f"graph:{datasource_id}").defer(datasource_id=datasource_id)


@app.task(queue="ingest", pass_context=True, retry=Backoff())
def embed_graph(context: JobContext, datasource_id: int) -> None:
    """Embed until nothing is due. What is due stays marked, so a failure costs nothing but time."""
    close_old_connections()
    try:
        while vectors.embed_due(datasource_id, embedder()):
            if context.should_abort():
                raise JobAborted
    except ProviderError as error:
        if error.transient and context.job.attempts < MAX_ATTEMPTS:
            raise Transient(error.message) from error
        raise
    except OperationalError as error:
        raise Transient(str(error)) from error
