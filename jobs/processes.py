"""Which process a worker is: `up` replaces one that gives no sign of life, a page says who does a job."""

import os
import socket
from dataclasses import dataclass

from procrastinate.manager import JobManager

from jobs.sql import statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """The one that this is, under the name that people see."""

    name: str
    host: str
    pid: int


def this_process(name: str) -> Process:
    return Process(name=name, host=socket.gethostname(), pid=os.getpid())


class Registering(JobManager):
    """Writes down of each worker which process it is, where that is given."""

    process: Process | None = None

    async def register_worker(self) -> int:
        worker_id = await super().register_worker()
        if self.process:
            await self.connector.execute_query_async(
                query=statements["register_process"],
                worker_id=worker_id,
                name=self.process.name,
                host=self.process.host,
                pid=self.process.pid,
            )
        return worker_id
