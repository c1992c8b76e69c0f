"""Pages that disagree with their text: how many are found, how many right ones are marked, what it costs."""

import os
import random
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from formats import ExtractionError, PageText
from formats.base.doubts import DoubtKind
from formats.pdf import child_process, reader
from formats.pdf.compared.letter_shapes import misread
from formats.pdf.reader import read_pdf

PAGES = 40  # of each kind
WORDS = """the supplier shall deliver goods within thirty days of an order and bear risk of loss until they
have been handed over to customer at its place business where late may end agreement by notice in writing any
sum that was paid advance returned without delay 12.5% 2026 EUR 4,200""".split()  # noqa: SIM905
PALE = ((1.0, 1.0, 1.0), (0.97, 0.97, 0.97), (1.0, 1.0, 0.8), (1.0, 0.95, 1.0))  # on white
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
COMPARED_FILES = 4  # of the public reports, of which the seconds are told


def run() -> dict[str, Any]:
    random.seed(11)
    with tempfile.TemporaryDirectory() as folder:
        figures = {name: found(Path(folder), draw, kind) for name, (draw, kind) in MADE.items()}
    files = sorted(Path(os.environ.get("SVQ_BENCH_DATA", "")).rglob("*.pdf"))
    if files and "SVQ_BENCH_DATA" in os.environ:
        figures["real files"] = marked(files)
        figures["letters exchanged in them"] = exchanged(files)
        figures["ms a page without and with"] = cost([path for path in files if "10q" in str(path)])
    return figures


def found(folder: Path, draw: Callable[[Canvas], None], kind: DoubtKind | None) -> str:
    """Of PAGES generated pages, how many have just the mark that they should have."""
    right = 0
    for number in range(PAGES):
        path = folder / f"{number}.pdf"
        canvas = Canvas(str(path), pagesize=letter)
        draw(canvas)
        prose(canvas, size=random.choice((7, 9, 11, 14)))
        canvas.save()
        (page,) = (each for each in read_pdf(path) if isinstance(each, PageText))
        kinds = {doubt.kind for doubt in page.doubts}
        right += kinds == ({kind} if kind else set())
    return f"{right} of {PAGES}"


def prose(canvas: Canvas, *, size: int) -> None:
    canvas.setFillColorRGB(0, 0, 0)
    canvas.setFont(random.choice(("Helvetica", "Times-Roman", "Courier")), size)
    for row in range(12):
        canvas.drawString(72, 720 - 1.4 * size * row, sentence(round(430 / size / 3.4)))


def sentence(words: int) -> str:
    return " ".join(random.choices(WORDS, k=words))


def hidden(canvas: Canvas) -> None:
    canvas.setFillColorRGB(*random.choice(PALE))
    canvas.drawString(72, 300, sentence(6))


def crossed(canvas: Canvas) -> None:
    """Over a line, or over other print."""
    if random.random() < 0.5:
        canvas.setFillColorRGB(0, 0, 0)
        canvas.drawString(72, 300 + random.uniform(-3, 3), sentence(8))
    else:
        canvas.line(60, 300 + random.uniform(2, 6), 500, 300 + random.uniform(2, 6))
    hidden(canvas)


def in_a_field(canvas: Canvas) -> None:
    white = Color(1, 1, 1)
    canvas.acroForm.textfield(
        name="field",
        value=sentence(6),
        x=72,
        y=290,
        width=440,
        height=24,
        fontSize=11,
        borderWidth=0,
        textColor=white,
        fillColor=white,
    )


def covered(canvas: Canvas) -> None:
    canvas.drawString(72, 300, sentence(6))
    canvas.setFillColorRGB(*(random.random() for _ in range(3)))
    canvas.rect(60, 280, 400, 50, stroke=0, fill=1)


def outside(canvas: Canvas) -> None:
    canvas.drawString(*random.choice(((72, -40), (72, 820), (700, 300))), sentence(6))


def pictured(canvas: Canvas) -> None:
    picture = Image.new("RGB", (1300, 180), "white")
    used = ImageFont.load_default(40)
    for row in range(2):
        ImageDraw.Draw(picture).text((10, 20 + 70 * row), sentence(9), font=used, fill="black")
    canvas.drawInlineImage(picture, 72, 240, 430, 60)


def nothing_wrong(canvas: Canvas) -> None:
    """A chart, rules, a ruler, a photograph, a watermark, and text in colour on colour."""
    canvas.setFillColorRGB(0.1, 0.2, 0.5)
    canvas.rect(60, 280, 480, 50, stroke=0, fill=1)
    canvas.setFillColorRGB(0.95, 0.9, 0.4)
    canvas.drawString(72, 300, sentence(8))
    for place in range(14):
        canvas.rect(80 + 28 * place, 130, 16, random.randint(8, 90), fill=1)
        canvas.line(72, 100 - 4 * place, 540, 100 - 4 * place)
        canvas.line(72 + 6 * place, 360, 72 + 6 * place, 368 if place % 5 else 372)
    canvas.drawInlineImage(Image.effect_noise((160, 90), 80), 330, 200, 160, 70)
    canvas.setFillColorRGB(*3 * [random.uniform(0.85, 0.95)])
    canvas.setFont("Helvetica-Bold", random.randint(40, 70))
    canvas.drawString(100, 400, "CONFIDENTIAL")


MADE: dict[str, tuple[Callable[[Canvas], None], DoubtKind | None]] = {
    "white on white, or nearly": (hidden, DoubtKind.UNSEEN),
    "covered by a colour": (covered, DoubtKind.UNSEEN),
    "outside of the page": (outside, DoubtKind.UNSEEN),
    "over a line or other print": (crossed, DoubtKind.UNSEEN),
    "in a field of a form": (in_a_field, DoubtKind.UNSEEN),
    "print in a picture": (pictured, DoubtKind.UNREAD),
    "nothing wrong": (nothing_wrong, None),
}


def pages(files: Sequence[Path], *, compare: bool = True) -> Iterator[tuple[Path, PageText]]:
    for path in files:
        try:
            for page in read_pdf(path, compare=compare):
                if isinstance(page, PageText):
                    yield path, page
        except ExtractionError:
            continue


def marked(files: Sequence[Path]) -> str:
    """How many pages have marks, for people to look at."""
    count, kinds = 0, Counter[str]()
    of_files = set()
    for path, page in pages(files):
        count += 1
        kinds.update({str(doubt.kind) for doubt in page.doubts})
        of_files |= {path} if page.doubts else set()
    told = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    return f"{count:,} pages: {told}, in {len(of_files)} of {len(files)} files"


def exchanged(files: Sequence[Path]) -> str:
    """Pages of prose whose text has each letter exchanged for another, as a wrong font does."""
    tried = told = 0
    for _, page in pages(files[::12], compare=False):
        if sum(letter in ALPHABET for letter in page.text) < 400 or tried == 100:
            continue
        others = random.sample(ALPHABET, len(ALPHABET))
        text = page.text.translate(str.maketrans(ALPHABET, "".join(others)))
        tried += 1
        told += bool(misread(text, boxes_of(page)))
    return f"{told} of {tried} pages"


def boxes_of(page: PageText) -> NDArray[np.float64]:
    return np.frombuffer(zlib.decompress(page.boxes), dtype="<u2").reshape(-1, 4) / 65535


def cost(files: Sequence[Path]) -> str:
    """Of a processor, in both processes; the child's work is done in this one."""
    spent = {}
    for compare in (False, True):
        began, count = time.process_time(), 0
        for path in files[:: max(1, len(files) // COMPARED_FILES)]:
            request = {
                "path": str(path),
                "password": None,
                "first_page": 1,
                "characters": 100_000,
                "shapes": True,
                "compare": compare,
            }
            frames = child_process.read(request)
            next(frames)
            for head, body in frames:
                reader._page_text(reader.sandbox.Frame(head=head, body=body), [])
                count += 1
        spent[compare] = 1000 * (time.process_time() - began) / max(count, 1)
    return f"{spent[False]:.1f}, {spent[True]:.1f}"
