"""Periodic upkeep of the queue: jobs of dead workers, old jobs, dead workers."""

import logging
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Status

from jobs.models import ServedLane
from jobs.sql import statements

logger = logging.getLogger(__name__)

STALLED_SECONDS = settings.PROCRASTINATE_WORKER_DEFAULTS["stalled_worker_timeout"]
FORGOTTEN_SECONDS = 60  # after that a silent worker's row goes; its jobs still count as stalled
# Documents and turns give up earlier, with words for the user; this ends a job that kills each worker.
MAX_ATTEMPTS = 20
KEPT_HOURS = 72  # of failed, cancelled and aborted jobs, for the administrator to look at


# No lock: a lock would stay with the worker that died holding it, and nobody would free any.
@app.periodic(cron="* * * * * */5")
@app.task(queue="rescue", queueing_lock="retry_stalled", pass_context=True)
async def retry_stalled(context: JobContext, timestamp: int) -> None:
    """Give the jobs of workers that have died to the living."""
    manager = context.app.job_manager
    for job in await manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS):
        try:
            if job.attempts < MAX_ATTEMPTS:
                await manager.retry_job(job)
            else:
                await manager.finish_job(job, status=Status.FAILED, delete_job=False)
        except ConnectorException:
            logger.exception("job %s of a worker that has died was not given to another", job.id)


@app.periodic(cron="7 * * * *")
@app.task(queue="upkeep", queueing_lock="forget_old", pass_context=True)
async def forget_old(context: JobContext, timestamp: int) -> None:
    """Remove the rows of jobs ended long ago, of workers that have died, of lanes in which nothing waits."""
    manager = context.app.job_manager
    await manager.delete_old_jobs(
        KEPT_HOURS, include_failed=True, include_cancelled=True, include_aborted=True
    )
    await manager.prune_stalled_workers(FORGOTTEN_SECONDS)
    for name in ("forget_processes", "forget_reports"):
        await context.app.connector.execute_query_async(statements[name])
    await ServedLane.objects.filter(served__lt=timezone.now() - timedelta(hours=KEPT_HOURS)).adelete()
