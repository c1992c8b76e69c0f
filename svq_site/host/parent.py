"""A process that another one started does not outlive it, not even when that one is killed."""

import os
import signal
import sys
import threading
from types import FrameType

from svq_site.host.ending import end_within

PIPE_VARIABLE = "SVQ_PARENT_PIPE_FD"
GRACE_SECONDS = 10


def die_with_parent() -> None:
    """Stop this process when its parent has died. Without SVQ_PARENT_PIPE_FD nothing happens.

    The variable holds the reading end of a pipe whose writing end the parent keeps open and never uses: the
    kernel closes it with the parent, however that ends. Then comes SIGTERM, and later a hard exit. Neither
    leaves the embedded database running, not even before this process has handlers of its own for signals.
    """
    number = os.environ.pop(PIPE_VARIABLE, "")
    if number.isdigit():
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _exit)
        pipe = int(number)
        os.set_inheritable(pipe, False)
        threading.Thread(target=_watch, args=(pipe,), name="parent", daemon=True).start()


def _exit(number: int, frame: FrameType | None) -> None:
    """The signal's own way skips what is due at exit."""
    sys.exit(128 + number)


def _watch(pipe: int) -> None:
    while os.read(pipe, 1):
        pass
    end_within(GRACE_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
