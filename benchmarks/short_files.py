"""Short files of many kinds, each read by children of a fork server and by children that load their program.

    SVQ_BENCH_DATA=folder python -m benchmarks short_files

Without the public office files in that folder, only generated ones are read.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from formats.base import forked
from formats.base.errors import ExtractionError
from formats.base.format import Format
from formats.base.values import SourceFile
from formats.registry import identify, sample_of

GENERATED = 20
TEXT = "The notice period is {n} days.\n\nPayment is due within {n} days of the invoice.\n"
MAIL = "From: a@example.org\nTo: b@example.org\nSubject: Notice {n}\n\n" + TEXT
FOLDER = "office_files"
LARGEST = 50_000  # bytes of a public file that counts as short


def run() -> dict[str, Any]:
    """Seconds of wall time a file, and how many times as long without forks."""
    with tempfile.TemporaryDirectory() as name:
        texts, mails = written(Path(name), "txt", TEXT), written(Path(name), "eml", MAIL)
        figures: dict[str, Any] = {}
        for kind, files in (("texts", texts), ("mails", mails), ("public office files", public())):
            if files:
                figures |= measured(kind, files)
    return figures


def written(folder: Path, ending: str, text: str) -> list[Path]:
    paths = [folder / f"{n}.{ending}" for n in range(GENERATED)]
    for n, path in enumerate(paths):
        path.write_text(text.format(n=n))
    return paths


def public() -> list[Path]:
    data = os.environ.get("SVQ_BENCH_DATA")
    paths = sorted((Path(data) / FOLDER).rglob("*")) if data else []
    return [path for path in paths if path.is_file() and path.stat().st_size <= LARGEST and is_read(path)]


def is_read(path: Path) -> bool:
    """Those that are set as pages here; pictures and old office files need other programs."""
    form = kind_of(path)
    return bool(form and form.is_typeset)


def kind_of(path: Path) -> Format | None:
    with path.open("rb") as file:
        return identify(path.name, sample_of(file))


def measured(kind: str, files: list[Path]) -> dict[str, Any]:
    seconds_of(files[:1])  # whatever is loaded once in this process is loaded
    forks = seconds_of(files)
    with without_forks():
        loading = seconds_of(files)
    return {
        f"{kind}: files": len(files),
        f"{kind}: seconds a file, forked": round(forks / len(files), 3),
        f"{kind}: seconds a file, each loading its program": round(loading / len(files), 3),
        f"{kind}: ratio": round(loading / forks, 1),
    }


@contextmanager
def without_forks() -> Iterator[None]:
    given, forked.CAN_FORK = forked.CAN_FORK, False
    yield
    forked.CAN_FORK = given


def seconds_of(files: list[Path]) -> float:
    begun = time.perf_counter()
    for path in files:
        with tempfile.TemporaryDirectory() as derived:
            form = kind_of(path)
            assert form
            with suppress(ExtractionError):  # a damaged one takes its time too
                for _ in form.read(SourceFile(path=path, derived=Path(derived))):
                    pass
    return time.perf_counter() - begun
