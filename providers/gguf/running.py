"""Where the language model of this server listens: a file that only its owner can read, and a lock.

The process holds the lock as long as it lives, so a file that a killed one has left is not believed.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from django.utils.translation import gettext_noop

FILE, LOCK = "language_model.json", "language_model.lock"
NOT_RUNNING = gettext_noop(
    "{identity}, the language model of this server, is not running. It runs as a part of `manage.py up`, or"
    " by `manage.py language_model` where web server and workers are started one by one."
)


class State(StrEnum):
    """How far the process is."""

    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"  # it does not run, and is not tried again before something changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The process, or why there is none.

    identity: of the model. address: of its server, up to /v1. token: what it wants to be shown. context: in
    tokens. why: in words, where it failed.
    """

    identity: str
    state: State
    address: str = ""
    token: str = ""
    context: int = 0
    why: str = ""


class AlreadyRunning(Exception):
    """Another process runs the model: there is one at a time."""


def last_known(folder: Path) -> Running | None:
    """None where nothing runs, and nothing was to run."""
    try:
        found = json.loads((folder / FILE).read_bytes())
        running = Running(**{**found, "state": State(found["state"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return running if running.state == State.FAILED or is_held(folder) else None


def tell(folder: Path, running: Running) -> None:
    """In one piece, for this account alone."""
    _made(folder)
    part = folder / f"{FILE}.{os.getpid()}"
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(asdict(running), file)
    part.replace(folder / FILE)


def forget(folder: Path) -> None:
    (folder / FILE).unlink(missing_ok=True)


def is_held(folder: Path) -> bool:
    """Whether a process runs the model."""
    try:
        with (folder / LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """As long as the model runs. Raises AlreadyRunning."""
    _made(folder)
    with (folder / LOCK).open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise AlreadyRunning from error
        yield


def _made(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
