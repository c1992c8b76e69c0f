"""Runs git within limits: `python -m exchange.connectors.sources.git_child SECONDS BYTES ARGUMENT ...`.

Its standard input is a pipe that nobody writes to. When that is closed, as it is however the process ends
that started this one, all that git has started ends with it: git leaves the programs alone that fetch for it.
"""

import os
import resource
import signal
import subprocess
import sys
from threading import Thread

MEMORY = 2**30  # bytes of data of each process


def main(seconds: str, largest: str, *arguments: str) -> int:
    """largest: bytes of any file that is written."""
    os.setsid()
    Thread(target=_end_with_parent, daemon=True).start()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(largest), int(largest)))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    status = subprocess.call(["git", *arguments], stdin=subprocess.DEVNULL)
    return status if status >= 0 else 128 - status


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
