"""The job that installs a model requested in the browser."""

import time
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext_noop
from procrastinate import JobContext
from procrastinate.contrib.django import app

from jobs.failures import Failure
from jobs.retry import Backoff
from jobs.runs import FencedRun, claim
from jobs.time_limit import TimeLimit
from providers.local_models import choice, store
from providers.local_models.install import Wish, discard, install, plan
from providers.local_models.models import Installation, InstallationStatus
from providers.local_models.roles import LocalRole
from providers.local_models.store import Installed

INSTALL_SECONDS = 6 * 3600  # gigabytes, over a slow line
TOLD_EVERY = 0.5  # seconds
FAILED_FOR = timedelta(days=14)  # then one that failed is forgotten


class InstallationRun(FencedRun[Installation]):
    """One run of an installation."""

    deadly = gettext_noop("Installing this model stopped its worker twice, so it is not tried again.")
    safe = gettext_noop("Nothing has changed.")

    def announce(self, failure: Failure) -> None:
        """Nothing to do: the page of installed models shows it."""


def defer_install(row: Installation) -> None:
    """Queue it; joins the caller's transaction."""
    task = app.configure_task("providers.local_models.tasks.install_model", lock=f"model:{row.pk}")
    row.write(job_id=task.defer(installation_id=row.pk))


@app.task(queue="heavy", pass_context=True, retry=Backoff(), task_middleware=[TimeLimit(INSTALL_SECONDS)])
def install_model(context: JobContext, installation_id: int) -> None:
    """To a definite end: installed, or failed with a reason."""
    row = claim(Installation.objects.filter(pk=installation_id))
    if row is None:
        return
    run = InstallationRun(row, context.should_abort)
    if not run.gives_up():
        run.carry_out(_install)


@app.periodic(cron="23 4 * * *")
@app.task(queue="upkeep", queueing_lock="forget_installations")
def forget_installations(timestamp: int) -> None:
    """Delete those that failed long ago, with the files they have fetched."""
    failed = Installation.objects.filter(status=InstallationStatus.FAILED)
    for row in failed.filter(begun__lt=timezone.now() - FAILED_FOR):
        row.delete()
        discard(Wish(role=LocalRole(row.role), name=row.name))


def _kept(row: Installation) -> Installed | None:
    """The model, if an earlier run had already installed it when it was killed."""
    since = row.begun.replace(microsecond=0)
    return next(
        (
            model
            for model in store.installed(LocalRole(row.role))
            if (model.name, model.revision, model.graph) == (row.name, row.revision, row.graph)
            and datetime.fromisoformat(model.when) >= since
        ),
        None,
    )


def _install(run: FencedRun[Installation]) -> None:
    row = run.row
    told_at = 0.0

    def told(step: str, done: int) -> None:
        nonlocal told_at
        if step != row.step or time.monotonic() - told_at > TOLD_EVERY:
            told_at = time.monotonic()
            with run.writing():  # stopped by a person, taken over, or the worker ends
                row.write(step=step, done=done, unended=0, status=InstallationStatus.RUNNING)

    wish = Wish(
        role=LocalRole(row.role),
        name=row.name,
        origin=row.origin,
        revision=row.revision,
        graph=row.graph,
        public_only=True,
    )
    model = _kept(row) or install(plan(wish), told)
    with run.writing():
        if row.use:
            choice.use(model)
        row.delete()
