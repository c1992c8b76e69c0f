"""Makes sure that there is a database to talk to, before Django's settings are read."""

import atexit
import os
from pathlib import Path

from svq_site.database import postgres

EMBEDDED_VARIABLE = "SVQ_EMBEDDED_POSTGRES"  # the data folder of the embedded server, for child processes


def start_embedded() -> None:
    """Start or join the embedded Postgres and export its address, unless DATABASE_URL names another.

    The server stops with its last user. Raises postgres.PostgresError with one clear line.
    """
    given = os.environ.get("DATABASE_URL")
    if given and not is_embedded():
        return
    data_dir = embedded_dir()
    url = postgres.ensure_running(data_dir)
    # A parent's address stays: a child may be meant for another database of the same server.
    os.environ["DATABASE_URL"] = given or url
    os.environ[EMBEDDED_VARIABLE] = str(data_dir)
    atexit.register(postgres.release, data_dir)


def is_embedded() -> bool:
    """After `start_embedded`: is it our server, and not one that DATABASE_URL names?"""
    return EMBEDDED_VARIABLE in os.environ


def embedded_dir() -> Path:
    """Where the embedded server's data is: what the parent process says, else in the data folder."""
    if told := os.environ.get(EMBEDDED_VARIABLE):
        return Path(told)
    root = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("SVQ_DATA_DIR") or root / "var").expanduser().resolve() / "postgres"


def release_embedded() -> None:
    """Give the embedded server up before the process ends by a signal, which skips what is due at exit.

    Raises postgres.PostgresError.
    """
    if is_embedded():
        postgres.release(embedded_dir())
