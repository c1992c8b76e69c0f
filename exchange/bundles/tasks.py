"""The jobs of bundles."""

from procrastinate import JobContext
from procrastinate.contrib.django import app

from exchange.bundles import services
from jobs.retry import Backoff
from jobs.time_limit import TimeLimit

IMPORT_SECONDS = 6 * 3600


@app.task(
    name="bundles.tasks.import_bundle",
    queue="heavy",
    pass_context=True,
    retry=Backoff(),
    task_middleware=[TimeLimit(IMPORT_SECONDS)],
)
def import_bundle(context: JobContext, import_id: str) -> None:
    services.run_import(import_id, context.should_abort)


@app.periodic(cron="*/10 * * * *")
@app.task(name="bundles.tasks.tidy_imports", queue="upkeep", queueing_lock="tidy_imports")
def tidy_imports(timestamp: int) -> None:
    services.tidy()
