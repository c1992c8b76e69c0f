"""The few threads on which streams talk to the database: a client that only waits holds none of them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import InterfaceError, OperationalError, connections
from psycopg_pool import PoolTimeout

P = ParamSpec("P")
R = TypeVar("R")

THREADS = 4
executor = ThreadPoolExecutor(THREADS, thread_name_prefix="events")


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Await a sync function that reads the database. It may run twice, so it must change nothing."""
    call = partial(with_connection, partial(function, *args, **kwargs))
    return await sync_to_async(call, thread_sensitive=False, executor=executor)()


def with_connection(call: Callable[[], R]) -> R:
    """Each thread keeps its connection; one that Postgres has dropped is replaced, once."""
    try:
        return call()
    except (OperationalError, InterfaceError) as error:
        if isinstance(error.__cause__, PoolTimeout):  # the pool has tried for long enough
            raise
        connections.close_all()
        return call()
    finally:
        if settings.DATABASE_POOL:
            connections.close_all()  # gives it back to the pool
