"""How far a process makes way for others."""

import contextlib
import os

import psutil

NICENESS = 10


def make_way() -> None:
    """From now on this process, and what it starts, gets what the others leave of processor and disk."""
    os.nice(NICENESS)
    with contextlib.suppress(OSError, AttributeError, psutil.Error):  # Linux has these
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        psutil.Process().ionice(psutil.IOPRIO_CLASS_BE, 7)
