"""A fresh SVQ in a data folder of its own, on a free port."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.processes import end, free_port

ROOT = Path(__file__).resolve().parents[2]
READY = "SVQ is ready"
PATIENCE = 600  # seconds that the start may take


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """Where it answers, who its first account is, and how many seconds its start took."""

    base: str
    email: str
    password: str
    seconds: float


@contextmanager
def fresh(folder: Path) -> Iterator[Installation]:
    """Started as by `make run`, ended on leaving. Raises TimeoutError where it is not ready in time."""
    port, began = free_port(), time.monotonic()
    own = {"SVQ_DATA_DIR": str(folder), "SVQ_PORT": str(port), "PYTHONUNBUFFERED": "1"}
    with (folder / "walk.log").open("w+") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=os.environ | own,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            while READY not in (folder / "walk.log").read_text():
                if process.poll() is not None or time.monotonic() - began > PATIENCE:
                    raise TimeoutError(f"SVQ did not start, see {folder / 'walk.log'}")
                time.sleep(0.2)
            words = (folder / "first-password").read_text().split()
            yield Installation(
                base=f"http://localhost:{port}",
                email=words[3],
                password=words[-1],
                seconds=time.monotonic() - began,
            )
        finally:
            end(process)
