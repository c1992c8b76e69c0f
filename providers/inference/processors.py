"""How many processors there are for models that run here."""

import os


def processors() -> int:
    """Those that this process may use: in a container, often fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
