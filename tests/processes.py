"""Web servers and workers as processes of their own, on the test's database."""

import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil
from django.conf import settings
from django.db import connection

# Seconds until a test gives up. What is to end sooner is held against something that would last longer, never
# against how long it takes here: the machine may be ten times as busy.
PATIENCE = 60.0


def wait_until(
    true: Callable[[], Any], what: str = "it", *, seconds: float = PATIENCE, state: Callable[[], object] = str
) -> Any:
    """Look again and again; the first thing that is true. state: what to tell where nothing is in time."""
    deadline = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < deadline, f"{what} did not happen in time. {state()}"
        time.sleep(0.05)
    return found


def lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def end(process: subprocess.Popen[bytes] | None) -> None:
    """Ask it to stop; kill it when it does not."""
    if process is None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def with_models(folder: Path) -> Path:
    """A data folder for processes, with the models that the tests have: making them takes long."""
    settings.MODELS_DIR.mkdir(parents=True, exist_ok=True)
    (folder / "models").symlink_to(settings.MODELS_DIR)
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def url_of_test_database() -> str:
    given = connection.settings_dict
    query = {"host": given["HOST"], "port": given["PORT"], "user": given["USER"]}
    query |= {"password": given["PASSWORD"], "passfile": given["OPTIONS"].get("passfile", "")}
    return f"postgresql:///{given['NAME']}?{urlencode({key: value for key, value in query.items() if value})}"


def readers() -> list[psutil.Process]:
    """The processes that read files for this one; not the fork servers that stand by for the next file."""
    found: list[psutil.Process] = []
    for process in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # a zombie too
            found += process.children() if "fork_server.py" in " ".join(process.cmdline()) else [process]
    return found
