"""The memory of servers and workers: how much a worker may have, what is given back, what is kept."""

import ctypes
import gc
import resource
import sys
from pathlib import Path

import django

RETURNED_BYTES = 2**20
MADE_MEANWHILE = 10_000
_M_MMAP_THRESHOLD = -3  # of mallopt(3)


def load_apps() -> None:
    """Django's setup. No garbage is looked for meanwhile, nor later among what it has loaded: all that stays.

    Looking, up to the last time when the process ends, takes a third of the time of a short command. Later it
    is looked for once for MADE_MEANWHILE objects: Python's 700 are less than a page makes.
    """
    gc.disable()
    try:
        django.setup()
    finally:
        gc.freeze()
        gc.set_threshold(MADE_MEANWHILE)
        gc.enable()


def return_freed_memory() -> None:
    """From now on this process gives memory back as soon as it is freed, in pieces of RETURNED_BYTES or more.

    Without it, the C library of Linux keeps freed memory for each thread that has ever needed much.
    """
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_M_MMAP_THRESHOLD, RETURNED_BYTES)


def keep_what_is_loaded() -> None:
    """From now on garbage is not looked for among what was loaded at the start: it holds all threads, for a
    third of a second in a web server.
    """
    gc.collect()
    gc.freeze()


def limit_memory(most: int) -> None:
    """From now on this process may grow until it has about `most` bytes in use; what asks for more fails.

    Linux counts the data that a process has mapped, not what it has touched: mapped and untouched data,
    such as the stacks of its threads, is allowed on top. Elsewhere nothing is limited.
    """
    if sys.platform != "linux":
        return
    mapped, touched = _kilobytes("VmData"), _kilobytes("RssAnon")
    value = most + max(0, mapped - touched) * 1024
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (value, hard))


def _kilobytes(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
