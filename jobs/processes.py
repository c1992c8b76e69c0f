"""Which process a worker is: `up` replaces one that gives no sign of life, a page says who does a job."""

import asyncio
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass

import psycopg
from procrastinate.contrib.django import connector_params
from procrastinate.manager import JobManager

from jobs.sql import statements

PATIENCE = 0.8  # seconds for the database


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


async def last_heartbeats(pids: Sequence[int]) -> dict[int, float]:
    """By process, as seconds since 1970. Raises psycopg.Error, OSError, TimeoutError."""
    values = {"host": socket.gethostname(), "pids": list(pids)}
    async with asyncio.timeout(PATIENCE):
        async with await psycopg.AsyncConnection.connect(**connector_params(), autocommit=True) as connection:
            return dict(await (await connection.execute(statements["last_heartbeats"], values)).fetchall())
