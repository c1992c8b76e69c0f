"""Calls beside what their caller does meanwhile."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

R = TypeVar("R")

THREADS = 4

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="beside")


def beside(call: Callable[[], R]) -> Callable[[], R]:
    """Begin a call in another thread; what is given waits for it, and gives or raises what it did.

    For what is short and lets go of Python's lock: where nobody waits for it any more, it still runs to its
    end. It must not use the database, whose connections belong to a thread.
    """
    begun: Future[R] = _threads.submit(call)
    return begun.result
