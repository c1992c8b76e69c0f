"""A worker as `manage.py worker` starts it, in this process."""

import asyncio

from procrastinate import App, PsycopgConnector
from procrastinate.contrib.django import app
from procrastinate.contrib.django.utils import connector_params

from jobs.manager import use_manager
from jobs.processes import this_process
from tests.processes import PATIENCE


def worker_connector() -> PsycopgConnector:
    """It makes connections as they are needed: where it begins with four, it waits half a minute for them and
    gives up, and most workers of tests need one.
    """
    return PsycopgConnector(kwargs=connector_params(), min_size=0, max_size=4, timeout=PATIENCE)


def run_worker(*queues: str) -> None:
    """Until nothing is left in the queues that it can do."""

    async def run() -> None:
        worker_app: App = app.with_connector(worker_connector())
        use_manager(worker_app, this_process(f"worker for {', '.join(queues)}"))
        async with worker_app.open_async():
            await worker_app.run_worker_async(
                queues=queues, wait=False, install_signal_handlers=False, listen_notify=False
            )

    asyncio.run(run())
