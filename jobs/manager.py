"""How SVQ's workers deal with the queue of procrastinate: which job is next, and who may end one."""

from procrastinate import App

from jobs.own_runs import OwnRuns
from jobs.processes import Process, Registering
from jobs.unknown import TellingUnknown


class Manager(TellingUnknown, OwnRuns, Registering):
    """Takes jobs that it can do in turn of their lanes, and ends only those of its own runs."""


def use_manager(app: App, process: Process | None = None) -> None:
    """Give it to an app (settings.PROCRASTINATE_ON_APP_READY).

    `process`: which one works for the app; it leaves alone what it doesn't know.
    """
    manager = Manager(app.connector)
    manager.process = process
    manager.tasks = app.tasks if process else None
    app.job_manager = manager
