"""Files made to break the reading: what became of each, seconds, peak memory of worker and children."""

import io
import json
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from benchmarks import throwaway

MEGABYTE = 2**20
PATIENCE = 600.0  # seconds for one file
LOOK = 0.05  # seconds between two looks at memory

# Takes one file in and waits until all that came of it has ended; prints what became of it as JSON.
TAKE_IN = """
import json, sys, time
from collections import Counter
from pathlib import Path
from django.core.exceptions import ValidationError
from accounts.models import User
from datasources.models import UNFINISHED, Datasource
from ingestion.adding.upload import accept_upload
owner = User.objects.get()
path = Path({path!r})
datasource = Datasource.objects.create(owner=owner, name=path.name)
try:
    with path.open("rb") as file:
        accept_upload(datasource, owner, path.name, file)
except ValidationError as refusal:
    print(json.dumps({{"became": "refused", "words": refusal.messages[0]}}))
    sys.exit()
end = time.monotonic() + {patience}
while datasource.documents.filter(status__in=UNFINISHED).exists() and time.monotonic() < end:
    time.sleep(0.2)
documents = datasource.documents.all()
became = ", ".join(f"{{n}} {{s}}" for s, n in sorted(Counter(d.status for d in documents).items()))
failed = documents.exclude(error_code="").first()
print(json.dumps({{
    "became": became, "words": failed.error_message if failed else "",
    "chunks": sum(d.chunk_count for d in documents if d.status == "ready"),
}}))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A file to make. `make` gets its path and a scale from 0 to 1 of how bad it is to be."""

    name: str
    make: Callable[[Path, float], None]


# --- files -----------------------------------------------------------------------------------------------
def pdf(path: Path, contents: list[bytes], *, pages: int = 1, box: str = "0 0 612 792") -> None:
    """A PDF whose pages all show the same content streams, compressed."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>"
        % (pages, b" ".join(b"%d 0 R" % (4 + len(contents) + n) for n in range(pages))),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for content in contents:
        packed = zlib.compress(content, 9)
        objects.append(b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(packed), packed))
    streams = b" ".join(b"%d 0 R" % (4 + n) for n in range(len(contents)))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Resources<</Font<</F 3 0 R>>>>/Contents[%s]>>"
    objects += [page % (box.encode(), streams)] * pages
    file = io.BytesIO()
    file.write(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(file.tell())
        file.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    begin = file.tell()
    file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    file.writelines(b"%010d 00000 n \n" % place for place in places)
    file.write(b"trailer<</Size %d/Root 1 0 R>>startxref\n%d\n%%%%EOF" % (len(objects) + 1, begin))
    path.write_bytes(file.getvalue())


def print_lines(count: int) -> bytes:
    """A content stream of so many printed lines, all on the page; a reader drops what is printed twice."""
    line = b"(%d Nobody reads what is printed here, again and again.)Tj 0 -%f Td "
    lines = (line % (number, 700 / count) for number in range(count))
    return b"BT/F 9 Tf 40 780 Td " + b"".join(lines) + b"ET"


def characters_on_one_page(path: Path, scale: float) -> None:
    pdf(path, [print_lines(int(60_000 * scale))])


def characters_on_many_pages(path: Path, scale: float) -> None:
    pdf(path, [print_lines(1_500)], pages=int(40 + 2_000 * scale))


def many_pages(path: Path, scale: float) -> None:
    pdf(path, [print_lines(1)], pages=int(30_000 * scale))


def stream_bomb(path: Path, scale: float) -> None:
    pdf(path, [b" " * int(400 * MEGABYTE * scale)])


def operator_bomb(path: Path, scale: float) -> None:
    pdf(path, [b"q " * int(40_000_000 * scale)])


def huge_page(path: Path, scale: float) -> None:
    pdf(path, [print_lines(50)], box="0 0 1e30 1e30")


def one_word(path: Path, scale: float) -> None:
    path.write_bytes(b"w" * int(20 * MEGABYTE * scale))


def one_word_of_wide_letters(path: Path, scale: float) -> None:
    path.write_text("\u6c34" * int(6_500_000 * scale))


def line_ends(path: Path, scale: float) -> None:
    path.write_bytes(b"a\n" * int(10 * MEGABYTE * scale))


def million_entities(path: Path, scale: float) -> None:
    names = (f"Ka{n:x}or Ve{n * 7:x}in of Lo{n * 13:x}ar." for n in range(int(333_333 * scale)))
    path.write_text("\n".join(names))


def deep_line(path: Path, scale: float) -> None:
    depth = int(1_000_000 * scale)
    path.write_bytes(b'{"title": "a", "text": ' + b"[" * depth + b"]" * depth + b"}")


def long_line(path: Path, scale: float) -> None:
    """Sparse: the letters are NUL bytes, which take no disk."""
    with path.open("wb") as file:
        file.write(b'{"title": "a", "text": "')
        file.truncate(int(100 * MEGABYTE * scale))
        file.seek(0, 2)
        file.write(b'"}')


def long_passages(path: Path, scale: float) -> None:
    with path.open("w") as file:
        for n in range(int(1_000 * scale)):
            file.write(json.dumps({"title": f"{n}", "text": f"{n} " + "Ab Cd. " * 7_000}) + "\n")


def many_passages(path: Path, scale: float) -> None:
    with path.open("w") as file:
        file.writelines(f'{{"title":"","text":"{n}"}}\n' for n in range(int(8_000_000 * scale)))


SET = [
    Hostile(name="long line.jsonl", make=long_line),
    Hostile(name="deep line.jsonl", make=deep_line),
    Hostile(name="many passages.jsonl", make=many_passages),
    Hostile(name="long passages.jsonl", make=long_passages),
    Hostile(name="characters on one page.pdf", make=characters_on_one_page),
    Hostile(name="characters on many pages.pdf", make=characters_on_many_pages),
    Hostile(name="many pages.pdf", make=many_pages),
    Hostile(name="stream bomb.pdf", make=stream_bomb),
    Hostile(name="operator bomb.pdf", make=operator_bomb),
    Hostile(name="huge page.pdf", make=huge_page),
    Hostile(name="one word.txt", make=one_word),
    Hostile(name="one word of wide letters.txt", make=one_word_of_wide_letters),
    Hostile(name="line ends.txt", make=line_ends),
    Hostile(name="million entities.txt", make=million_entities),
]


# --- measuring -------------------------------------------------------------------------------------------
class Peaks:
    """The largest resident memory of a worker, and of any of its children, in bytes."""

    def __init__(self, worker: psutil.Process) -> None:
        self.process = worker
        self.worker = self.child = 0

    def look(self) -> None:
        try:
            self.worker = max(self.worker, self.process.memory_info().rss)
            for child in self.process.children():
                self.child = max(self.child, child.memory_info().rss)
        except psutil.Error:
            pass  # it ended meanwhile


def measured(svq: throwaway.App, path: Path, worker: throwaway.Process) -> dict[str, Any]:
    """What became of the file, and what that took."""
    peaks = Peaks(psutil.Process(worker.pid))
    begun = time.monotonic()
    code = TAKE_IN.format(path=str(path), patience=PATIENCE)
    taking = svq.started("manage.py", "shell", "-v", "0", "-c", code, stdout=subprocess.PIPE)
    while taking.poll() is None:
        peaks.look()
        time.sleep(LOOK)
    assert taking.stdout
    outcome: dict[str, Any] = json.loads(taking.stdout.read())
    return outcome | {
        "bytes": path.stat().st_size,
        "worker_megabytes": round(peaks.worker / MEGABYTE),
        "child_megabytes": round(peaks.child / MEGABYTE),
        "seconds": round(time.monotonic() - begun, 1),
        "worker_died": worker.poll() is not None,
    }


def run(*, scale: float = 1.0, only: str = "") -> dict[str, Any]:
    """A group of figures for each file; worker and child are peaks of resident memory."""
    figures = {}
    with throwaway.app() as svq:
        for hostile in SET:
            if only in hostile.name:
                path = svq.folder / hostile.name
                hostile.make(path, scale)
                with svq.worker("ingest") as worker:
                    figures[hostile.name] = measured(svq, path, worker)
                print(hostile.name, json.dumps(figures[hostile.name], ensure_ascii=False), flush=True)
                path.unlink()
    return figures


if __name__ == "__main__":
    run(scale=float(sys.argv[1]) if len(sys.argv) > 1 else 1.0, only=sys.argv[2] if len(sys.argv) > 2 else "")
