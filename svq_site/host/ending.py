"""A process that is to end does end, whatever its threads still wait for."""

import contextlib
import os
import sys
import time
from threading import Thread

from svq_site.database.database import release_embedded
from svq_site.database.postgres import PostgresError


def end_within(seconds: float, why: str = "") -> None:
    """This process has so many seconds left to end by itself; then it ends as it is, as by kill -9.

    `why`, if given, is then written to its log.
    """
    Thread(target=_end, args=(seconds, why), name="ending", daemon=True).start()


def _end(seconds: float, why: str) -> None:
    time.sleep(seconds)
    end_now(why)


def end_now(why: str = "") -> None:
    """End without waiting for any thread. The embedded database is given up, as is due at exit."""
    with contextlib.suppress(OSError, ValueError):
        # Not by logging, whose lock a thread that hangs may hold.
        if why:
            sys.stderr.write(f"{why}\n")
        sys.stderr.flush()
        sys.stdout.flush()
    with contextlib.suppress(PostgresError):
        release_embedded()
    os._exit(1)
