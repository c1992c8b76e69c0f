"""What the child process gives up before it opens a hostile file: each measure is tried by itself."""

import ctypes
import errno
import os
import resource
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from formats.base import landlock, seccomp
from formats.base.kernel import call, prctl, unshare

NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000
CAPSET, CAPABILITIES_VERSION = {"x86_64": 126, "aarch64": 91}, 0x20080522
READ_ANY_FILE = 1 << 2  # CAP_DAC_READ_SEARCH
SET_NO_NEW_PRIVS = 38

OPEN_FILES = 64
SYSTEM_LIBRARIES = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/nix/store",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """detail: what is in force, or why nothing is."""

    name: str
    in_force: bool
    detail: str


def confine(files: Iterable[Path], *, memory_bytes: int, cpu_seconds: int) -> list[Measure]:
    """Take from this process, for good, all but reading `files` and Python's own.

    To be called while it has one thread. memory_bytes: of address space.
    """

    def limits() -> str:
        return limit(memory_bytes, cpu_seconds)

    def reach() -> str:
        return landlock.restrict((*files, *_libraries()))

    measures: dict[str, Callable[[], str]] = {"limits": limits}
    if sys.platform == "linux":
        measures |= {
            "network": leave_network,
            "capabilities": drop_capabilities,
            "privileges": forbid_privileges,
            "files": reach,
            "system calls": seccomp.restrict,
        }
    return [_tried(name, measure) for name, measure in measures.items()]


def _tried(name: str, measure: Callable[[], str]) -> Measure:
    try:
        return Measure(name=name, in_force=True, detail=measure())
    except OSError as error:
        return Measure(name=name, in_force=False, detail=error.strerror or str(error))


def limit(memory_bytes: int, cpu_seconds: int) -> str:
    """For good: the hard limits are set too. The second more of CPU time is for a death that tells why."""
    limits = {
        resource.RLIMIT_CPU: (cpu_seconds, cpu_seconds + 1),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NOFILE: (OPEN_FILES, OPEN_FILES),
    }
    if sys.platform == "linux":  # elsewhere it is absent or ignored; the parent watches too
        limits[resource.RLIMIT_AS] = (memory_bytes, memory_bytes)
        limits[resource.RLIMIT_DATA] = (memory_bytes, memory_bytes)  # in place of that of its parent
    for kind, (soft, hard) in limits.items():
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))
    return f"{memory_bytes >> 20:,} MB, {cpu_seconds:,} s, {OPEN_FILES} open files, none written"


def forbid_processes() -> None:
    """No process and no thread more, once those that are needed run. The superuser's are not counted."""
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def leave_network() -> str:
    """Into a network namespace with nothing in it.

    The superuser needs no user namespace for it, and there could not read files of others, such as a data
    folder that was brought in from another machine.
    """
    if os.geteuid() == 0:
        unshare(NEW_NETWORK)
        return "an empty namespace"
    unshare(NEW_USER | NEW_NETWORK)
    return "empty namespaces of users and network"


def drop_capabilities() -> str:
    """All, but for the superuser's right to read: which files, Landlock says."""
    machine = os.uname().machine
    if machine not in CAPSET:
        raise OSError(errno.ENOSYS, f"no number of the system call for {machine}")
    kept = READ_ANY_FILE if os.geteuid() == 0 else 0
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)  # effective, permitted, inheritable, and their rest
    try:
        call(CAPSET[machine], header, sets)
    except PermissionError:  # a superuser whose container has taken this one away
        call(CAPSET[machine], header, (ctypes.c_uint32 * 6)())
        kept = 0
    return "all dropped but to read files" if kept else "all dropped"


def forbid_privileges() -> str:
    prctl(SET_NO_NEW_PRIVS, 1)
    return "no_new_privs"


def _libraries() -> Iterable[Path]:
    """What is loaded later than the program itself, codecs for example."""
    yield from map(Path, (*sys.path, *SYSTEM_LIBRARIES))
    yield Path(os.__file__).parents[1]  # beside the standard library: what its extensions are linked with
    yield from map(Path, filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":")))
    yield Path(__file__).parents[1]  # formats
