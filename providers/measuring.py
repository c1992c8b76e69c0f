"""The job that finds out how fast the language model of this server is, and what it can do."""

from contextlib import suppress

from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from jobs.time_limit import TimeLimit
from providers.connections.models import HERE
from providers.connections.services import Offer
from providers.local_models import choice
from providers.roles import ModelRole
from providers.trial import tried

SECONDS = 600  # of a slow machine


def defer_measuring() -> None:
    """Queue it, unless it is queued; joins the caller's transaction."""
    with suppress(AlreadyEnqueued):
        measure_language_model.configure(queueing_lock="measure_language_model").defer()


@app.task(queue="heavy", task_middleware=[TimeLimit(SECONDS)])
def measure_language_model() -> None:
    """As the test of a server does. Until then the model is asked for no more than any model can do."""
    if model := choice.wanted():
        tried(Offer(provider=HERE, address="", key="", model=model.identity), ModelRole.AGENT, None)
