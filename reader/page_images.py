"""The place of a quote: its pages and boxes, and the images and PDF that show it, made once and cached.

`asker` is the id of the person for whom something is drawn: people take turns.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from datasources.models import Document, DocumentStatus
from datasources.storage.files import delete_derived_files, derived_folder, source_file
from formats import ExtractionError, pictures
from formats.base.made_once import made_once
from formats.base.values import Pixels, Rect, SourceFile
from formats.boxes import boxes_of
from formats.registry import format_of, has_format
from formats.surroundings import Surroundings, surroundings
from ingestion.models import Page
from jobs.fair_slots import Busy, FairSlots
from reader import turned_pages

PAGE_WIDTH = 1240  # pixels; enough for a pane at twice its width
CARD_WIDTH = 708  # CSS pixels for a crop in the hover card, which is as wide as an answer
HEADS_AIR = 4.0  # above and below the heads of a table, in 1/1000 of the page
SHARPNESS = 2  # pixels of a crop for each CSS pixel
READ_ELSEWHERE = gettext_noop(
    "Its text came with an imported file, and this server has not read the document itself. The picture of"
    " the page is drawn from the document."
)
# Never changes at its address, as a new version of a file is a new document; for the asker's eyes only.
KEEP = "private, max-age=31536000, immutable"
DRAWING = FairSlots(settings.PAGES_DRAWN_AT_ONCE)

Boxes = Sequence[list[float]]  # [x0, y0, x1, y1] in 0..1000 of the page, origin top left


def place(document: Document, start: int, end: int) -> dict[int, list[list[float]]]:
    """Boxes of the document's characters from start to end, by page: [x0, y0, x1, y1] in 0..1000."""
    return places(document, [(start, end)])


def places(document: Document, spans: Sequence[tuple[int, int]]) -> dict[int, list[list[float]]]:
    """The same of several spans of characters, one after the other on each page."""
    found: dict[int, list[list[float]]] = {}
    pages = pages_of(document, min(start for start, _ in spans), max(end for _, end in spans))
    for start, end in spans:
        for page in pages:
            first, last = max(start - page.start, 0), min(end - page.start, len(page.text))
            if first < last and page.text[first:last].strip():
                rects = boxes_of(first, last, bytes(page.boxes), len(page.text)) if page.boxes else []
                found.setdefault(page.number, []).extend([r.x0, r.y0, r.x1, r.y1] for r in rects)
    return found


def words(document: Document, start: int, end: int) -> str:
    """The document's characters from start to end as one line."""
    pages = pages_of(document, start, end)
    parts = (page.text[max(start - page.start, 0) : max(end - page.start, 0)] for page in pages)
    return " ".join(" ".join(parts).split())


def pages_of(document: Document, start: int, end: int) -> list[Page]:
    """Those that have characters from start to end, with their text and boxes and no page before them."""
    before = document.pages.filter(start__lte=start).order_by("-start").values_list("start", flat=True)
    pages = document.pages.filter(start__gte=before.first() or 0, start__lt=end)
    # Without the document's number Django would ask for it once more for each page.
    return list(pages.only("document", "number", "start", "text", "boxes").order_by("number"))


def page_image(document: Document, number: int, *, asker: int) -> bytes:
    """WebP of a whole page, without marks. Raises Page.DoesNotExist, ExtractionError, Busy."""
    row = Page.objects.defer("text", "boxes", "certainty").get(document=document, number=number)

    def make() -> bytes:
        with source_file(document) as file:
            pixels = turned_pages.draw(format_of(document.mime), file, row, PAGE_WIDTH)
        return pictures.page_image(pixels)

    turned = f"-turned-{row.quarter_turns}" if row.quarter_turns else ""
    return cached(document, f"page-{number}-{PAGE_WIDTH}{turned}.webp", make, asker, DRAWING)


def can_draw(document: Document, number: int, *, asker: int) -> bool:
    """Whether the page's image can be made; it is kept, so the browser's request for it is quick."""
    if not has_pages(document):
        return False
    try:
        page_image(document, number, asker=asker)
    except Busy:
        return True  # the browser's request will tell
    except (ExtractionError, OSError, Page.DoesNotExist):
        return False
    return True


def crop(
    document: Document, page: int, boxes: Boxes, rest: Boxes = (), heads: Boxes = (), *, asker: int
) -> bytes:
    """WebP of what surrounds the boxes on a page, upright and fit to be read.

    It has SHARPNESS pixels for each CSS pixel. The words in the boxes are highlighted; those in `rest` are
    underlined where they are near; `heads` of a table are underlined and shown, however far above.

    Raises Page.DoesNotExist, ExtractionError, Busy.
    """
    words, others = [rect(box) for box in boxes], [rect(box) for box in (*rest, *heads)]
    digest = hashlib.sha256(repr((words, others, len(heads), pictures.BREAK)).encode()).hexdigest()[:16]

    def make() -> bytes:
        row = Page.objects.get(document=document, number=page)
        around = _around(row, words, [rect(box) for box in heads])
        scale = around.scale(CARD_WIDTH) * SHARPNESS
        with source_file(document) as file:
            drawn = [
                (
                    _drawn_part(
                        document, file, row, part, round((part.x1 - part.x0) / 1000 * row.width * scale)
                    ),
                    part,
                )
                for part in around.parts
            ]
        return pictures.crop(drawn, words, others, around.quarters)

    return cached(document, f"crop-{page}-{digest}.webp", make, asker, DRAWING)


def crop_size(document: Document, page: int, boxes: Boxes, heads: Boxes = ()) -> tuple[int, int]:
    """Width and height that the crop has, in CSS pixels; nothing is drawn. Raises Page.DoesNotExist."""
    row = Page.objects.get(document=document, number=page)
    around = _around(row, [rect(box) for box in boxes], [rect(box) for box in heads])
    scale = around.scale(CARD_WIDTH) / 1000
    sizes = [
        ((part.x1 - part.x0) * row.width * scale, (part.y1 - part.y0) * row.height * scale)
        for part in around.parts
    ]
    upright = [(height, width) if around.quarters else (width, height) for width, height in sizes]
    gaps = pictures.BREAK / SHARPNESS * (len(upright) - 1)
    return round(max(width for width, _ in upright)), round(sum(height for _, height in upright) + gaps)


def across_crop(document: Document, page: int, boxes: Boxes, heads: Boxes = (), *, of: list[float]) -> float:
    """Where the middle of that box stands in the crop, in parts of its width. Raises Page.DoesNotExist."""
    row = Page.objects.get(document=document, number=page)
    around = _around(row, [rect(box) for box in boxes], [rect(box) for box in heads])
    left, right = min(part.x0 for part in around.parts), max(part.x1 for part in around.parts)
    middle = (of[0] + of[2]) / 2
    return 0.5 if around.quarters else min(max((middle - left) / (right - left), 0.0), 1.0)


def words_across_crop(
    document: Document, page: int, boxes: Boxes, heads: Boxes = (), *, of: Boxes
) -> tuple[float, float]:
    """Where the words in the boxes `of` begin and end in the crop, from its left, in parts of its width.
    Raises Page.DoesNotExist.
    """
    row, words = Page.objects.get(document=document, number=page), [rect(box) for box in of]
    around = _around(row, [rect(box) for box in boxes], [rect(box) for box in heads])
    if around.quarters or not words:
        return 0.0, 1.0
    left, right = min(part.x0 for part in around.parts), max(part.x1 for part in around.parts)
    edges = min(word.x0 for word in words), max(word.x1 for word in words)
    begins, ends = (min(max((edge - left) / (right - left), 0.0), 1.0) for edge in edges)
    return begins, ends


def _around(page: Page, words: list[Rect], heads: list[Rect]) -> Surroundings:
    """What surrounds the words, with the column headings above it at the same width, so that they line up."""
    around = surroundings(words, page.text, bytes(page.boxes), page.width, page.height)
    if not heads or around.quarters:
        return around
    x0 = min(place.x0 for place in (*around.parts, *heads))
    x1 = max(place.x1 for place in (*around.parts, *heads))
    top, bottom = min(head.y0 for head in heads) - HEADS_AIR, max(head.y1 for head in heads) + HEADS_AIR
    rows = list(_table_rows(page))
    parts = [_between_rows(rows, part, words) for part in _of_one_width(around.parts, x0, x1)]
    if bottom < parts[0].y0:
        parts.insert(0, Rect(x0=x0, y0=max(0.0, top), x1=x1, y1=bottom))
    else:
        parts[0] = replace(parts[0], y0=min(max(0.0, top), parts[0].y0))
    return replace(around, parts=parts, width=(x1 - x0) / 1000 * page.width)


def _between_rows(rows: Sequence[Rect], part: Rect, words: list[Rect]) -> Rect:
    """The part without what it has of rows of the table that it would cut; those with the words are whole."""
    for row in rows:
        is_own = any(row.y0 < (word.y0 + word.y1) / 2 < row.y1 for word in words)
        if row.y0 < part.y0 < row.y1:
            part = replace(part, y0=row.y0 - HEADS_AIR if is_own else row.y1)
        if row.y0 < part.y1 < row.y1:
            part = replace(part, y1=row.y1 + HEADS_AIR if is_own else row.y0)
    return part


def _table_rows(page: Page) -> Iterator[Rect]:
    """Where the page's rows stand: the lines of its text that have cells."""
    start = 0
    for line in page.text.split("\n"):
        if "\t" in line and page.boxes:
            rects = boxes_of(start, start + len(line), bytes(page.boxes), len(page.text))
            if rects:
                yield Rect(
                    x0=min(rect.x0 for rect in rects),
                    y0=min(rect.y0 for rect in rects),
                    x1=max(rect.x1 for rect in rects),
                    y1=max(rect.y1 for rect in rects),
                )
        start += len(line) + 1


def _of_one_width(parts: Sequence[Rect], x0: float, x1: float) -> list[Rect]:
    """The parts at this width, from top to bottom; cells that stand beside each other are one."""
    wide: list[Rect] = []
    for part in sorted(parts, key=lambda part: part.y0):
        if wide and part.y0 < wide[-1].y1:
            wide[-1] = replace(wide[-1], y1=max(wide[-1].y1, part.y1))
        else:
            wide.append(Rect(x0=x0, y0=part.y0, x1=x1, y1=part.y1))
    return wide


def _drawn_part(document: Document, file: SourceFile, page: Page, part: Rect, width: int) -> Pixels:
    return turned_pages.draw(format_of(document.mime), file, page, max(width, 1), part)


def marked_page(document: Document, page: int, boxes: Boxes, *, asker: int) -> bytes:
    """WebP of a whole page with the words in the boxes highlighted."""
    return pictures.highlight(page_image(document, page, asker=asker), [rect(box) for box in boxes])


def cut_pdf(document: Document, pages: Sequence[int], *, asker: int) -> bytes:
    """A PDF of just these pages. Raises ExtractionError, Busy."""

    def make() -> bytes:
        with source_file(document) as file:
            return format_of(document.mime).cut(file, pages)

    name = "-".join(map(str, pages))
    return cached(document, f"pages-{name}.pdf", make, asker, DRAWING)


def rect(box: list[float]) -> Rect:
    """A stored box as a rectangle."""
    x0, y0, x1, y1 = box
    return Rect(x0=x0, y0=y0, x1=x1, y1=y1)


def has_pages(document: Document | None) -> bool:
    """Whether there is a page to show: passages without a file and deleted documents have none."""
    return document is not None and document.status != DocumentStatus.DELETED and has_format(document.mime)


def set_by_svq(document: Document | None) -> str:
    """That the pages are SVQ's work, in a sentence; empty for a file that has pages of its own."""
    form = format_of(document.mime) if document and has_pages(document) else None
    if form is None or not form.is_typeset:
        return ""
    return _("Set by SVQ from the {kind} file: not the file’s own look.").format(kind=form.label)


def said_of_pages(document: Document | None) -> str:
    """Where its pages and its text come from, unless both are the file's own; empty where there is nothing
    to say.
    """
    said = [set_by_svq(document)]
    if document and document.read_elsewhere:
        said.append(_(READ_ELSEWHERE))
    return " ".join(filter(None, said))


def cached(document: Document, name: str, make: Callable[[], bytes], asker: int, slots: FairSlots) -> bytes:
    """The file of that name made from the document's content; those who ask for one take turns."""
    path = cache_path(document, name)
    if path.exists():
        return path.read_bytes()
    with slots.taken_by(asker):
        content = made_once(path, make).read_bytes()
    delete_derived_files([document.content])  # when the document was purged meanwhile
    return content


def cache_path(document: Document, name: str) -> Path:
    """The same bytes may be read as files of two types, which have different pictures."""
    return derived_folder(document.content) / f"{document.mime.partition('/')[2]}-{name}"
