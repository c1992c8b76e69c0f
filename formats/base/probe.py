"""The program that tries what a file that took over its reader might try. Run in the sandbox."""

import fcntl
import os
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

ELSEWHERE = ("192.0.2.1", 9)  # an address that stands for none


def run(request: dict[str, Any]) -> Iterator[tuple[dict[str, Any], bytes]]:
    """One frame: the measures in force, and the names of the attempts that were not refused."""
    attempts: dict[str, Callable[[], object]] = {
        **{f"read {path}": partial(_read, Path(path)) for path in request["secrets"]},
        "reach the network": _send,
        "start a process": _fork,
        "write a file": _write,
        "raise its limits": _raise_limit,
        "signal its parent": partial(os.kill, os.getppid(), 0),
        "have the kernel signal its parent": partial(fcntl.fcntl, 1, fcntl.F_SETOWN, os.getppid()),
    }
    if path := request["socket"]:
        attempts[f"connect to {path}"] = partial(_connect, path)
    yield {"measures": request["measures"], "possible": [n for n, a in attempts.items() if _succeeds(a)]}, b""


def _succeeds(attempt: Callable[[], object]) -> bool:
    with suppress(OSError, ValueError):
        attempt()
        return True
    return False


def _read(path: Path) -> None:
    with path.open("rb") as file:
        file.read(1)


def _send() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.sendto(b"", ELSEWHERE)


def _connect(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as way:
        way.connect(path)


def _fork() -> None:
    if (child := os.fork()) == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _write() -> None:
    with open("written", "wb") as file:
        file.write(b"x")


def _raise_limit() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
