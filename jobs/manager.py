"""How SVQ's workers deal with the queue of procrastinate: which job is next, and who may end one."""

from procrastinate import App

from jobs.ends import OwnRuns
from jobs.lanes import TakingTurns


class Manager(TakingTurns, OwnRuns):
    """Takes jobs in turn of their lanes and ends only those of its own runs."""


def use_manager(app: App) -> None:
    """Give it to an app (settings.PROCRASTINATE_ON_APP_READY)."""
    app.job_manager = Manager(app.connector)
