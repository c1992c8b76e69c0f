"""Whole ingestion against its floor, the embedder alone on the same chunks; peak memory of a long file."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pypdf import PdfReader, PdfWriter

from benchmarks import throwaway

SAMPLES = sorted((throwaway.ROOT / "samples").glob("*.pdf"))
PAGES = 500

# Runs as a process of its own, so that its memory is its own.
EMBED_ALONE = """
import json, sys, time
from pathlib import Path
from providers.minilm.embedder import MiniLM
texts = json.loads(Path(sys.argv[1]).read_text())
model = MiniLM(Path(sys.argv[2]))
model.embed(texts[:8])
begun = time.perf_counter()
for first in range(0, len(texts), 64):
    model.embed(texts[first:first + 64])
print(time.perf_counter() - begun)
"""
CHUNKS = """
import json
from ingestion.models import Chunk
print(json.dumps(list(Chunk.objects.order_by("pk").values_list("text", flat=True))))
"""


def run(*, pages: int = PAGES, files: list[Path] | None = None) -> dict[str, Any]:
    """Reads a long PDF (or the files given) with `manage.py ingest`, then embeds the same chunks alone.

    seconds and seconds_embedder are wall time; ratio is theirs; peak_megabytes is that of the largest
    process of the ingestion.
    """
    with throwaway.app() as svq:
        paths = files or [long_pdf(svq.folder / "long.pdf", pages)]
        report, peak = measured(svq, ["ingest", "Bench", *map(str, paths), "--json"])
        texts = svq.folder / "chunks.json"
        texts.write_text(svq.shell(CHUNKS))
        embedding = svq.started(
            "-c", EMBED_ALONE, str(texts), str(svq.folder / "var" / "models"), stdout=subprocess.PIPE
        )
        alone = float(embedding.communicate()[0])
    documents = report["documents"]
    return {
        "pages": sum(one["pages"] or 0 for one in documents),
        "chunks": sum(one["chunks"] for one in documents),
        "failed": sum(one["status"] != "ready" for one in documents),
        "seconds": report["seconds"],
        "seconds_embedder": round(alone, 2),
        "ratio": round(report["seconds"] / alone, 2),
        "peak_megabytes": round(peak),
    }


def long_pdf(path: Path, pages: int) -> Path:
    """The sample documents over and over, up to so many pages."""
    writer = PdfWriter()
    while len(writer.pages) < pages:
        for sample in SAMPLES:
            for page in PdfReader(sample).pages:
                if len(writer.pages) < pages:
                    writer.add_page(page)
    writer.write(path)
    return path


def measured(svq: throwaway.App, arguments: list[str]) -> tuple[dict[str, Any], float]:
    """The command's JSON, and the peak memory of it and its children in megabytes."""
    with tempfile.TemporaryFile("w+") as output:
        process = svq.started("manage.py", *arguments, stdout=output)
        _, _, usage = os.wait4(process.pid, 0)
        output.seek(0)
        return json.load(output), usage.ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)


if __name__ == "__main__":
    print(json.dumps(run(files=[Path(name) for name in sys.argv[1:]] or None), indent=2))
