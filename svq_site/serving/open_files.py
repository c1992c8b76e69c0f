"""How many files a process may have open, and how many connections of clients follow from that."""

import resource
from dataclasses import dataclass

from django.conf import settings

RAISED_TO = 65_536  # some programs that SVQ starts walk through all numbers up to the limit
RESERVED = 256  # files, the database and what is accepted before it is counted
MOST_CONNECTIONS = 16_384  # each takes some 20 KB


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Connections of one web server: altogether, and of one address."""

    total: int
    each: int


def raise_limit() -> int:
    """From now on this process and its children may open as many files as they may allow themselves.

    Returns the limit.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= (possible := reachable()):
        return soft if soft != resource.RLIM_INFINITY else RAISED_TO
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (possible, hard))
    except (OSError, ValueError):  # macOS allows fewer than it says
        return soft
    return possible


def reachable() -> int:
    """The limit that `raise_limit` sets, unless it is higher already."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return RAISED_TO if hard == resource.RLIM_INFINITY else min(hard, RAISED_TO)


def connection_limits(files: int) -> ConnectionLimits:
    """With so many open files, half of them at the least; one address gets half of all at the most."""
    total = min(MOST_CONNECTIONS, max(files // 2, files - RESERVED))
    return ConnectionLimits(total, min(settings.CONNECTIONS_PER_ADDRESS, total // 2))
