"""What each process of a running SVQ needs, and how long its queues are."""

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

MEGABYTE = 2**20
QUEUES = "SELECT queue_name, count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing') GROUP BY 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """seconds: since the first; by process: megabytes, open files and threads; by queue: jobs that are due
    or under way.
    """

    seconds: float
    memory: dict[str, float] = field(default_factory=dict)
    files: dict[str, int] = field(default_factory=dict)
    threads: dict[str, int] = field(default_factory=dict)
    queues: dict[str, int] = field(default_factory=dict)


def sample(parent: int, begun: float) -> Sample:
    """Of all processes that this one started. Whoever ends meanwhile is left out."""
    memory: dict[str, float] = {}
    files: dict[str, int] = {}
    threads: dict[str, int] = {}
    for name, process in named(parent):
        with suppress(psutil.Error, FileNotFoundError, ProcessLookupError):
            memory[name] = round(memory.get(name, 0) + proportional(process.pid) / MEGABYTE, 1)
            files[name] = files.get(name, 0) + process.num_fds()
            threads[name] = threads.get(name, 0) + process.num_threads()
    return Sample(
        seconds=round(time.monotonic() - begun, 1),
        memory=memory,
        files=files,
        threads=threads,
        queues=queues(),
    )


def named(parent: int) -> Iterator[tuple[str, psutil.Process]]:
    """All processes below `up`, and its database, which has no parent any more."""
    up = psutil.Process(parent)
    data = next((v for k, v in up.environ().items() if k == "SVQ_DATA_DIR"), "")
    found = {up, *up.children(recursive=True)}
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if data and f"{data}/postgres" in " ".join(process.cmdline()):
                found |= {process, *process.children()}
    for process in found:
        with suppress(psutil.Error):
            if name := name_of(process.cmdline()):
                yield name, process


def name_of(command: list[str]) -> str:
    """As the chart calls it; empty for what belongs to the benchmark itself."""
    line = " ".join(command)
    if "postgres" in line.partition(" ")[0]:
        return "Postgres"
    if "svq_site.asgi" in line:
        return "web server"
    if "--name" in command:
        return command[command.index("--name") + 1]
    if "manage.py up" in line:
        return "up"
    return "readers of files" if "manage.py shell" not in line and "resource_tracker" not in line else ""


def proportional(pid: int) -> int:
    """Bytes; what several processes share is divided among them."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def queues() -> dict[str, int]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(QUEUES)
        return dict(cursor.fetchall())
