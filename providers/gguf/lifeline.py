"""A process that ends with the one that started it, however that ends."""

import ctypes
import os
import signal
import sys
import threading

_PR_SET_PDEATHSIG = 1  # of prctl(2)


def end_with_parent(pipe: int) -> None:
    """`pipe`: the reading end of one whose writing end the parent keeps open and never uses."""
    threading.Thread(target=_watch, args=(pipe,), name="parent", daemon=True).start()


def be_killed_with_parent() -> None:
    """Linux sees to it even while all threads are held, as they are while a model is loaded.

    For a process whose parent's main thread has started it: it is that thread's end that counts.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _watch(pipe: int) -> None:
    while os.read(pipe, 1):
        pass
    os._exit(1)
