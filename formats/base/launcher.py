"""Gives up the network, privileges and more than its share of memory, then becomes the program named.

Run as a plain script by outside_program.py, never imported. Each measure is taken as far as the system
has it.
"""

import os
import resource
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

CPU_SECONDS = 120
OPEN_FILES = 1024


def main(memory_bytes: int, file_bytes: int, command: list[str]) -> None:
    """memory_bytes: of address space. file_bytes: of a file that it writes."""
    sys.modules["formats"] = ModuleType("formats")
    sys.modules["formats"].__path__ = [str(Path(__file__).parents[1])]
    from formats.base import confinement

    for kind, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, file_bytes),
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
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
