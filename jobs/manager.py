"""How SVQ's workers deal with the queue of procrastinate: which job is next, and who may end one."""

from procrastinate import App

from jobs.ends import OwnRuns
from jobs.lanes import TakingTurns
from jobs.processes import Process, Registering


class Manager(TakingTurns, OwnRuns, Registering):
    """Takes jobs in turn of their lanes and ends only those of its own runs."""


def use_manager(app: App, process: Process | None = None) -> None:
    """Give it to an app (settings.PROCRASTINATE_ON_APP_READY). `process`: which one works for the app."""
    manager = Manager(app.connector)
    manager.process = process
    app.job_manager = manager
