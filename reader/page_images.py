"""Where a quote stands: its pages and boxes, and the images and PDF that show it, made once and cached."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from django.conf import settings

from datasources.files import local_path
from datasources.models import Document
from formats import rendering
from ingestion.models import Page

PAGE_WIDTH = 1240  # pixels; enough for a pane at twice its width
CROP_WIDTH = 776

Boxes = Sequence[list[float]]  # [x0, y0, x1, y1] in 0..1000 of the page, origin top left


def place(document: Document, start: int, end: int) -> dict[int, list[list[float]]]:
    """Boxes of the document's characters from start to end, by page: [x0, y0, x1, y1] in 0..1000."""
    found: dict[int, list[list[float]]] = {}
    for page in document.pages.filter(start__lt=end).order_by("number"):
        first, last = max(start - page.start, 0), min(end - page.start, len(page.text))
        if first < last and page.text[first:last].strip():
            rects = rendering.boxes_of(first, last, bytes(page.boxes), len(page.text)) if page.boxes else []
            found[page.number] = [[r.x0, r.y0, r.x1, r.y1] for r in rects]
    return found


def document_text(document: Document) -> str:
    """The text that chunk and citation offsets count in."""
    text = ""
    for page in document.pages.order_by("number").only("text", "start"):
        text = text.ljust(page.start, "\n") + page.text
    return text


def page_image(document: Document, number: int) -> bytes:
    """WebP of a whole page, without marks. Raises Page.DoesNotExist, ExtractionError."""
    Page.objects.only("pk").get(document=document, number=number)

    def make() -> bytes:
        with local_path(document) as path:
            return rendering.page_image(path, number, PAGE_WIDTH)

    return _cached(document.sha256, f"page-{number}-{PAGE_WIDTH}.webp", make)


def crop(document: Document, page: int, boxes: Boxes) -> bytes:
    """WebP of what surrounds the boxes on a page, the words in them highlighted."""
    rects = [rect(box) for box in boxes]
    digest = hashlib.sha256(repr(rects).encode()).hexdigest()[:16]

    def make() -> bytes:
        return rendering.crop(page_image(document, page), rects, width=CROP_WIDTH)

    return _cached(document.sha256, f"crop-{page}-{digest}.webp", make)


def marked_page(document: Document, page: int, boxes: Boxes) -> bytes:
    """WebP of a whole page with the words in the boxes highlighted."""
    return rendering.highlight(page_image(document, page), [rect(box) for box in boxes])


def cut_pdf(document: Document, pages: Sequence[int]) -> bytes:
    """A PDF of just these pages."""

    def make() -> bytes:
        with local_path(document) as path:
            return rendering.cut_pages(path, list(pages))

    name = "-".join(map(str, pages))
    return _cached(document.sha256, f"pages-{name}.pdf", make)


def rect(box: list[float]) -> rendering.Rect:
    """A stored box as a rectangle."""
    x0, y0, x1, y1 = box
    return rendering.Rect(x0=x0, y0=y0, x1=x1, y1=y1)


def has_pages(document: Document | None) -> bool:
    """Whether there is a page to show: ready passages have none, a deleted document none any more."""
    return document is not None and document.mime == "application/pdf"


def forget(sha256: str) -> None:
    """Drop everything made from a file's content."""
    folder = _folder(sha256)
    for path in folder.glob("*"):
        path.unlink(missing_ok=True)
    if folder.exists():
        folder.rmdir()


def _folder(sha256: str) -> Path:
    return Path(settings.CACHE_DIR) / "pages" / sha256[:2] / sha256


def _cached(sha256: str, name: str, make: Callable[[], bytes]) -> bytes:
    """The file of that name made from that content; written whole or not at all."""
    path = _folder(sha256) / name
    try:
        return path.read_bytes()
    except FileNotFoundError:
        data = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(temporary, path)
    return data
