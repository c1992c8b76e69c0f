"""How long people wait from an upload until the document can be searched: a PDF, slides, a text, a scan."""

import io
import json
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
from pypdf import PdfWriter

from benchmarks import throwaway
from benchmarks.fairness import read
from benchmarks.formats import made_pptx
from benchmarks.ingestion import long_pdf
from benchmarks.office_files import docx, paragraph

ROUNDS = 3  # of each file; its median is told
PAGES, SLIDES, PARAGRAPHS = 50, 30, 210  # so many paragraphs are 20 pages
DENSITY = 150 / 72  # pixels a point


def run(*, rounds: int = ROUNDS) -> dict[str, Any]:
    """Seconds by kind of file. A worker and the driver are processes of their own; both have read a file
    before, as those of a server that runs have.
    """
    with throwaway.app() as svq, svq.worker("ingest"):
        return svq.figures(f"from benchmarks.readiness import told; told({rounds})")


# --- the driver ------------------------------------------------------------------------------------------
def told(rounds: int) -> None:
    from accounts.models import User
    from datasources.models import Datasource

    datasource = Datasource.objects.create(owner=User.objects.get(), name="Readiness")
    for name, make in MADE.items():
        read(datasource, make(0), name)
    figures: dict[str, Any] = {}
    for name, make in MADE.items():
        seconds = [read(datasource, make(number), name) for number in range(1, rounds + 1)]
        pages = datasource.documents.filter(filename=name).values_list("page_count", flat=True)[0]
        kind = f"{name} ({pages} pages)" if pages != 1 else name
        figures[kind] = f"{statistics.median(seconds):.1f} s, at most {max(seconds):.1f}"
    print(json.dumps(figures))


def long(number: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        writer = PdfWriter(clone_from=long_pdf(Path(folder, "long.pdf"), PAGES))
    writer.add_metadata({"/Title": f"Long {number}"})
    content = io.BytesIO()
    writer.write(content)
    return content.getvalue()


def slides(number: int) -> bytes:
    said = [f"Deck {number}, line {n}: the tenant shall pay a fee of {n} euros." for n in range(SLIDES * 4)]
    return made_pptx(said)


def text(number: int) -> bytes:
    said = "The tenant shall give notice in writing. " * 12
    return docx("".join(paragraph(f"{number}.{n} {said}") for n in range(PARAGRAPHS)))


def scan(number: int) -> bytes:
    """A page of a sample as a picture."""
    sample = pypdfium2.PdfDocument(throwaway.ROOT / "samples" / "master-services-agreement.pdf")
    picture = sample[0].render(scale=DENSITY).to_pil()
    picture.putpixel((number, 0), (0, 0, 0))  # no two files are alike
    content = io.BytesIO()
    picture.save(content, "PNG")
    return content.getvalue()


MADE: dict[str, Callable[[int], bytes]] = {
    "pages.pdf": long,
    "slides.pptx": slides,
    "text.docx": text,
    "scan.png": scan,
}
