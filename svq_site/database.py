"""Makes sure that there is a database to talk to, before Django's settings are read."""

import atexit
import os
from pathlib import Path

from svq_site import postgres


def start_embedded() -> None:
    """Start or join the embedded Postgres and export its address, unless DATABASE_URL is set.

    The server stops with its last user. Raises postgres.PostgresError with one clear line.
    """
    if os.environ.get("DATABASE_URL"):
        return
    root = Path(__file__).resolve().parent.parent
    data_dir = Path(os.environ.get("SVQ_DATA_DIR") or root / "var").expanduser().resolve() / "postgres"
    os.environ["DATABASE_URL"] = postgres.ensure_running(data_dir)
    os.environ["SVQ_EMBEDDED_POSTGRES"] = str(data_dir)
    atexit.register(postgres.release, data_dir)
