"""The jobs: a run of an evaluation, runs after an upload, the making of a question set, and upkeep."""

from procrastinate.contrib.django import app

from desks.evaluation.generation.making import make
from desks.evaluation.runs.run import carry_on
from desks.evaluation.runs.scheduled import start_scheduled
from desks.evaluation.runs.upkeep import forget_paid
from jobs.retry import Backoff
from jobs.slices import one_slice


@app.task(name="evaluate", queue="runs", retry=Backoff())
async def evaluate(run_id: int) -> None:
    await one_slice(carry_on, run_id)


@app.task(name="make_questions", queue="runs", retry=Backoff())
def make_questions(set_id: int) -> None:
    make(set_id)


@app.task(name="evaluate_scheduled", queue="upkeep", retry=Backoff())
def evaluate_scheduled(datasource_id: int) -> None:
    start_scheduled(datasource_id)


@app.periodic(cron="41 3 * * *")
@app.task(name="forget_paid_in_evaluations", queue="upkeep", queueing_lock="forget_paid_in_evaluations")
def forget(timestamp: int) -> None:
    forget_paid()
