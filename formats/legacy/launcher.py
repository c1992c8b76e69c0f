"""Gives up the network, privileges and more than its share of memory, then becomes the program named.

Run as a plain script by office.py, never imported. Each measure is taken as far as the system has it.
"""

import os
import resource
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

MEMORY_BYTES = 4 << 30  # of address space: LibreOffice maps far more than it uses
CPU_SECONDS = 120
LARGEST_FILE = 256 << 20
OPEN_FILES = 1024


def main(command: list[str]) -> None:
    sys.modules["formats"] = ModuleType("formats")
    sys.modules["formats"].__path__ = [str(Path(__file__).parents[1])]
    from formats.base import confinement

    for kind, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        allowed = resource.getrlimit(kind)[1]
        limit = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(kind, (limit, limit))
    if sys.platform == "linux":
        for measure in (
            confinement.leave_network,
            confinement.drop_capabilities,
            confinement.forbid_privileges,
        ):
            with suppress(OSError):
                measure()
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
