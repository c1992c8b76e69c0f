"""A worker as `manage.py worker` starts it, in this process."""

import asyncio

from procrastinate import App
from procrastinate.contrib.django import app

from jobs.manager import use_manager
from jobs.processes import this_process


def run_worker(*queues: str) -> None:
    """Until nothing is left in the queues that it can do."""

    async def run() -> None:
        worker_app: App = app.with_connector(app.connector.get_worker_connector())  # type: ignore[attr-defined]
        use_manager(worker_app, this_process(f"worker for {', '.join(queues)}"))
        async with worker_app.open_async():
            await worker_app.run_worker_async(
                queues=queues, wait=False, install_signal_handlers=False, listen_notify=False
            )

    asyncio.run(run())
