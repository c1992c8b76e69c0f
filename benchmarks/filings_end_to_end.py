"""Real files through `manage.py ingest`, with all that follows, against the least that reading them costs.

    SVQ_BENCH_DATA=folder python -m benchmarks filings_end_to_end

The folder holds docugami_10q, of whose filings SVQ_BENCH_FILES may limit the number; without it the sample
documents are read.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import throwaway
from benchmarks.graph import files

ONE_AT_A_TIME = threading.Lock()
# Its own seconds: the start of this process is no part of the work.
WORK_OFF = """
import json, resource, time
def spent():
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob
begun, before = time.perf_counter(), spent()
while ProcrastinateJob.objects.filter(status="todo", scheduled_at=None).exists():
    with app.replace_connector(app.connector.get_worker_connector()):
        app.run_worker(wait=False)
print(json.dumps({"seconds": time.perf_counter() - begun, "processor": spent() - before}))
"""
# Keeps the database server running between the commands, and tells what it has taken.
METER = """
from benchmarks import spent
while input():
    print(spent.of_postgres(), flush=True)
"""


def run() -> dict[str, Any]:
    """Wall and processor seconds of both, in one run; the floor has as many threads as the command."""
    paths = [str(path) for path in files()]
    with throwaway.app() as svq, of_postgres(svq) as postgres:
        floor = timed(svq, "-m", "benchmarks.filings_end_to_end", str(svq.folder / "var" / "models"), *paths)
        before = postgres()
        reading = timed(svq, "manage.py", "ingest", "Bench", *paths, "--json")
        database = postgres() - before
        rest = svq.figures(WORK_OFF)
        whole_database = postgres() - before
    documents = json.loads(reading.pop("printed"))["documents"]
    chunks = json.loads(floor.pop("printed"))["chunks"]
    ready = reading["processor"] + database
    whole = reading["processor"] + rest["processor"] + whole_database
    return {
        "files": len(paths),
        "not ready": sum(one["status"] != "ready" for one in documents),
        "pages": sum(one["pages"] or 0 for one in documents),
        "chunks": sum(one["chunks"] for one in documents),
        "chunks of the floor": chunks,
        "seconds until all are ready": round(reading["wall"], 1),
        "seconds until nothing is queued": round(reading["wall"] + rest["seconds"], 1),
        "seconds of the floor": round(floor["wall"], 1),
        "ratio until all are ready": round(reading["wall"] / floor["wall"], 2),
        "ratio until nothing is queued": round((reading["wall"] + rest["seconds"]) / floor["wall"], 2),
        "processor seconds of the floor": round(floor["processor"], 1),
        "processor seconds until all are ready: the command": round(reading["processor"], 1),
        "processor seconds until all are ready: Postgres": round(database, 1),
        "processor seconds until nothing is queued": round(whole, 1),
        "ratio of processor time until all are ready": round(ready / floor["processor"], 2),
        "ratio of processor time until nothing is queued": round(whole / floor["processor"], 2),
        "ratio of processor time, without the database's": round(
            reading["processor"] / floor["processor"], 2
        ),
    }


@contextmanager
def of_postgres(svq: throwaway.App) -> Iterator[Callable[[], float]]:
    """Gives the processor seconds that the database server has taken so far."""
    meter = subprocess.Popen(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", METER],
        cwd=throwaway.ROOT,
        env=svq.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert meter.stdin
    assert meter.stdout
    ask, answers = meter.stdin, meter.stdout

    def seconds() -> float:
        print("?", file=ask, flush=True)
        return float(answers.readline())

    try:
        yield seconds
    finally:
        print(file=ask, flush=True)
        meter.wait()


def timed(svq: throwaway.App, *arguments: str) -> dict[str, Any]:
    """What Python prints with these arguments; wall seconds, and processor seconds with those of children."""
    begun = time.perf_counter()
    process = svq.started(*arguments, stdout=subprocess.PIPE)
    assert process.stdout
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, arguments)
    seconds = time.perf_counter() - begun
    return {"printed": printed, "wall": seconds, "processor": usage.ru_utime + usage.ru_stime}


# --- the floor -------------------------------------------------------------------------------------------
def floor(models: Path, paths: list[Path]) -> int:
    """The text of each page by pypdfium2, split and embedded, and nothing kept; gives the number of chunks.

    PDFium may be used by one thread at a time; it lets the embedder's threads go on meanwhile.
    """
    from concurrent.futures import ThreadPoolExecutor

    from providers.inference.processors import processors
    from providers.minilm.embedder import MiniLM

    model = MiniLM(models)
    with ThreadPoolExecutor(processors()) as pool:
        return sum(pool.map(lambda path: read_bare(model, path), paths))


def read_bare(model: Any, path: Path) -> int:
    from ingestion.chunks.chunking import join_pages, split

    text, starts = join_pages(page_texts(path))
    pieces = [piece.text for piece in split(text, starts, size=1000, overlap=100)]
    for first in range(0, len(pieces), 64):
        model.embed(pieces[first : first + 64])
    return len(pieces)


def page_texts(path: Path) -> list[str]:
    import pypdfium2

    with ONE_AT_A_TIME:
        document = pypdfium2.PdfDocument(path)
        try:
            return [page.get_textpage().get_text_range() for page in document]
        finally:
            document.close()


if __name__ == "__main__":
    print(json.dumps({"chunks": floor(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])}))
