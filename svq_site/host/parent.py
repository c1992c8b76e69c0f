"""A process that another one started does not outlive it, not even when that one is killed."""

import os
import signal
import threading
import time

PIPE_VARIABLE = "SVQ_PARENT_PIPE_FD"
GRACE_SECONDS = 10


def die_with_parent() -> None:
    """Stop this process when its parent has died. Without SVQ_PARENT_PIPE_FD nothing happens.

    The variable holds the reading end of a pipe whose writing end the parent keeps open and never uses: the
    kernel closes it with the parent, however that ends. Then comes SIGTERM, and later a hard exit.
    """
    number = os.environ.pop(PIPE_VARIABLE, "")
    if number.isdigit():
        pipe = int(number)
        os.set_inheritable(pipe, False)
        threading.Thread(target=_watch, args=(pipe,), name="parent", daemon=True).start()


def _watch(pipe: int) -> None:
    while os.read(pipe, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)
