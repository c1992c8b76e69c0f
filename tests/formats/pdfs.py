"""PDFs that tests make, and what the reader says of them."""

import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from formats import ExtractionError, PageText
from formats.pdf.reader import read_pdf


def make_pdf(path: Path, pages: list[list[str]], *, title: str = "") -> Path:
    canvas = Canvas(str(path), pagesize=letter)
    canvas.setTitle(title)
    for lines in pages:
        for row, line in enumerate(lines):
            canvas.drawString(72, 700 - 20 * row, line)
        canvas.showPage()
    canvas.save()
    return path


def photographed(path: Path, head: str, at: tuple[int, int] = (20, 770)) -> Path:
    """A page that is a picture of a page, with a line of text somewhere."""
    canvas = Canvas(str(path), pagesize=letter)
    canvas.drawInlineImage(Image.new("RGB", (60, 80), "grey"), 40, 90, 440, 660)
    canvas.drawString(*at, head)
    canvas.save()
    return path


def pages_of(path: Path, **options) -> list[PageText]:
    return [item for item in read_pdf(path, **options) if isinstance(item, PageText)]


def boxes_of(page: PageText) -> np.ndarray:
    return np.frombuffer(zlib.decompress(page.boxes), dtype="<u2").reshape(-1, 4) / 65535


def error_of(path: Path, **options) -> ExtractionError:
    with pytest.raises(ExtractionError) as caught:
        list(read_pdf(path, **options))
    assert caught.value.message
    assert caught.value.hint
    return caught.value
