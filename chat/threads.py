"""The threads in which turns use the database: few, so that connections stay few however many turns run."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections

P = ParamSpec("P")
R = TypeVar("R")

EXECUTOR = ThreadPoolExecutor(max_workers=8, thread_name_prefix="turn")


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a whole piece of database work in one of the threads, each with its own connection."""

    def call() -> R:
        close_old_connections()
        return function(*args, **kwargs)

    return await sync_to_async(call, thread_sensitive=False, executor=EXECUTOR)()
