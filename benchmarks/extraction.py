"""Speed of reading PDFs: the product's sandboxed reader against bare pypdfium2 doing the same work in one
process.
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import pypdfium2

from formats import PageText
from formats.pdf.reader import page_pixels, read_pdf

LINES_PER_PAGE = 45
LINE = "The tenant shall give notice in writing not later than thirty days before the end of the term."


def run(paths: list[Path] | None = None) -> dict[str, float]:
    """Pages and characters a second, bare and sandboxed, their ratio, and this process's memory growth in
    MB.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = paths or [make_pdf(Path(folder) / "made.pdf", pages=500)]
        started = time.perf_counter()
        pages, characters = map(sum, zip(*map(read_bare, paths), strict=True))
        bare = time.perf_counter() - started
        memory = _peak_megabytes()
        started = time.perf_counter()
        for path in paths:
            read_sandboxed(path)
        sandboxed = time.perf_counter() - started
        grown = _peak_megabytes() - memory
        started = time.perf_counter()
        page_pixels(paths[0], 1, 1240)
        render = time.perf_counter() - started
    return {
        "documents": len(paths),
        "pages": pages,
        "characters": characters,
        "bare_pages_per_second": round(pages / bare, 1),
        "sandboxed_pages_per_second": round(pages / sandboxed, 1),
        "time_over_bare": round(sandboxed / bare, 2),
        "parent_grew_megabytes": round(grown, 1),
        "render_cold_milliseconds": round(render * 1000),
    }


def read_bare(path: Path) -> tuple[int, int]:
    """Pages and characters, each page's text and every character's box read with the library's own
    helpers.
    """
    document = pypdfium2.PdfDocument(path)
    pages, characters = len(document), 0
    for index in range(pages):
        page = document[index]
        text = page.get_textpage()
        text.get_text_range()
        boxes = [text.get_charbox(character) for character in range(text.count_chars())]
        characters += len(boxes)
        text.close()
        page.close()
    document.close()
    return pages, characters


def read_sandboxed(path: Path) -> int:
    return sum(len(item.text) for item in read_pdf(path) if isinstance(item, PageText))


def make_pdf(path: Path, *, pages: int) -> Path:
    """A PDF of `pages` full pages of text."""
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    for page in range(pages):
        for line in range(LINES_PER_PAGE):
            canvas.drawString(60, 790 - 16 * line, f"{page + 1}.{line + 1} {LINE}")
        canvas.showPage()
    canvas.save()
    return path


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)


if __name__ == "__main__":
    print(json.dumps(run([Path(name) for name in sys.argv[1:]] or None), indent=2))
