"""PDF: text and boxes page by page, page pixels and cut-out pages, all from a child process
(child_process.py).
"""

import math
import re
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from formats.base import sandbox
from formats.base.annotations import MOST, Annotation
from formats.base.doubts import Doubt
from formats.base.errors import ExtractionError, gettext_noop, too_large, too_many_bytes
from formats.base.file_properties import FileProperties
from formats.base.layout import BlockLine, Bookmark, FilledIn, Layout, PrintedLine
from formats.base.values import DocumentInfo, Limits, PageText, Pixels, Rect
from formats.pdf.asking import answer, ask
from formats.pdf.compared.comparison import Compared
from formats.pdf.compared.drawing import Drawing
from formats.pdf.compared.suspicion import is_misread, is_suspect
from formats.pdf.looking import look
from formats.pdf.page_text.clean import clean, displayed, pack
from formats.pdf.page_text.column_order import in_rows
from formats.pdf.page_text.filled_in import FIELD, Field, spans, with_fields
from formats.pdf.page_text.prose_tables import Sheet, in_cells
from formats.pdf.page_text.right_to_left import in_reading_order, is_right_to_left
from formats.pdf.page_text.ruling import Ruling, ruling

PHOTOGRAPHED = 0.4  # of the page; a smaller picture illustrates the text
PICTURED = 0.05  # of the page; a smaller picture is a logo
FEW_CHARACTERS = 300  # on a page; one with more is no photographed one
LARGEST_PRINT = 1000.0  # points
TABLES_OF_A_PAGE = 1000  # more than there are: tables of a document are numbered by page
HEADER_WITHIN = 1024  # the bytes in which readers of PDF look for its header
LOOKED_AT = 0.5  # of the seconds that a file may take, for looking at pages that may differ from their text
BYTES = 36  # of a character: its code point and four sides
LINE, NUMBER = (
    4,
    5,
)  # columns of boxes: of the line that a character begins, and of itself in the file, from 1
NO_BOXES = pack("", np.zeros((0, 4)))
_LOSABLE = {"timeout", "memory", "corrupt"}  # errors of one page that need not end the document

Bookmarks = dict[int, list[Sequence[Any]]]  # by page: level, title, page, points above its foot


def read_pdf(
    path: Path,
    *,
    first_page: int = 1,
    password: str | None = None,
    limits: Limits | None = None,
    tables: bool = True,
    compare: bool = True,
) -> Generator[DocumentInfo | PageText]:
    """Yield the DocumentInfo, then each PageText from `first_page` on. Close the generator to stop early.

    tables: whether tables of wrapped words are put in the order of their rows. compare: whether each page is
    compared with its text.

    A page that crashes, hangs or bloats the reader is yielded as unreadable and reading goes on behind it,
    up to `limits.lost_pages` times. Raises ExtractionError.
    """
    limits = limits or Limits()
    check_file(path, limits)
    info: DocumentInfo | None = None
    bookmarks: Bookmarks = {}
    clock = _Clock(limits)
    lost = 0
    number = first_page
    while True:
        try:
            for frame in clock.timed(_pages(path, number, password, limits, tables, compare)):
                if "pages" not in frame.head:
                    number = frame.head["page"] + 1
                    with clock.running():
                        page, compared = _page_text(frame, bookmarks.get(frame.head["page"], []))
                    yield _looked_at(path, page, compared, password, limits, clock) if compared else page
                elif info is None:
                    info = _info(frame, limits)
                    bookmarks = _by_page(frame.head["outline"])
                    clock.allow_pages(info.pages)
                    yield info
            return
        except ExtractionError as error:
            if info is None or error.code not in _LOSABLE or clock.is_over() or lost == limits.lost_pages:
                raise
        lost += 1
        yield PageText(number=number, text="", boxes=NO_BOXES, width=0.0, height=0.0, readable=False)
        number += 1
        if number > info.pages:
            return


def page_pixels(
    path: Path,
    number: int,
    width: int,
    *,
    part: Rect | None = None,
    password: str | None = None,
    limits: Limits | None = None,
) -> Pixels:
    """Page `number` (from 1), or that part of it, about `width` pixels wide. Raises ExtractionError."""
    limits = limits or Limits()
    check_file(path, limits)
    area = [part.x0, part.y0, part.x1, part.y1] if part else [0, 0, 1000, 1000]
    request = {
        "do": "render",
        "path": str(path),
        "page": number,
        "width": width,
        "area": area,
        "password": password,
    }
    frame = answer(request, limits)
    return Pixels(width=frame.head["width"], height=frame.head["height"], rgb=frame.body)


def cut_pages(path: Path, numbers: Sequence[int], *, limits: Limits | None = None) -> bytes:
    """A PDF of what just the pages `numbers` (from 1) show, in that order. Raises ExtractionError."""
    request = {"do": "cut", "path": str(path), "pages": list(numbers), "password": None}
    return _made_from(path, request, limits or Limits())


def without_password(path: Path, password: str, *, limits: Limits | None = None) -> bytes:
    """The PDF without its protection. Raises ExtractionError, "encrypted" when the password is wrong."""
    return _made_from(path, {"do": "unlock", "path": str(path), "password": password}, limits or Limits())


def _made_from(path: Path, request: dict[str, Any], limits: Limits) -> bytes:
    check_file(path, limits)
    return answer(request, limits).body


def check_file(path: Path, limits: Limits) -> None:
    """Raise ExtractionError when the file is empty, too large, or no PDF by its first bytes."""
    size = path.stat().st_size
    if size == 0:
        raise ExtractionError("empty")
    if size > limits.file_bytes:
        raise too_many_bytes(size, limits.file_bytes)
    with path.open("rb") as file:
        start = file.read(HEADER_WITHIN)
    if b"%PDF-" in start:
        return
    if re.fullmatch(rb"[\0\s]*", start):
        raise ExtractionError("corrupt")
    raise ExtractionError("unsupported", gettext_noop("This file is named like a PDF but is not one."))


def _pages(
    path: Path, first_page: int, password: str | None, limits: Limits, tables: bool, compare: bool
) -> Generator[sandbox.Frame]:
    request = {
        "do": "read",
        "path": str(path),
        "first_page": first_page,
        "password": password,
        "characters": limits.page_characters,
        "shapes": tables,
        "compare": compare,
    }
    return ask(request, limits)


def _info(frame: sandbox.Frame, limits: Limits) -> DocumentInfo:
    pages = frame.head["pages"]
    if pages < 1:
        raise ExtractionError("empty", gettext_noop("This PDF has no pages."))
    if pages > limits.pages:
        raise too_large("This PDF has {n} pages; {most} are allowed.", n=pages, most=limits.pages)
    return DocumentInfo(pages=pages, properties=FileProperties.from_sandbox(frame.head["properties"]))


def _one_line(text: str) -> str | None:
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype="<u4").astype(np.uint32)
    return " ".join(clean(codes, np.zeros((len(codes), 4)))[0].split()) or None


def _by_page(outline: Sequence[Sequence[Any]]) -> Bookmarks:
    bookmarks: Bookmarks = {}
    for entry in outline:
        bookmarks.setdefault(entry[2], []).append(entry)
    return bookmarks


def _looked_at(
    path: Path, page: PageText, compared: Compared, password: str | None, limits: Limits, clock: "_Clock"
) -> PageText:
    """The page with where it and its text disagree, or that nobody has looked."""
    doubts = None
    if clock.may_look():
        with clock.looking():
            doubts = look(path, page.number, compared, password, limits)
    return replace(page, doubts=(*page.doubts, *(compared.skipped() if doubts is None else doubts)))


def _page_text(frame: sandbox.Frame, bookmarks: Sequence[Sequence[Any]]) -> tuple[PageText, Compared | None]:
    """The page, and what is to be compared with its full drawing, where the small one gives reason to."""
    head, text, packed = frame.head, "", NO_BOXES
    lines: tuple[PrintedLine, ...] = ()
    rows: tuple[BlockLine, ...] = ()
    filled_in: tuple[FilledIn, ...] = ()
    compared: Compared | None = None
    doubts: list[Doubt] = []
    if frame.body or head.get("fields"):
        small, body = _small_drawing(head, frame.body)
        codes, corners = _characters(body, head["own"])
        numbered = np.zeros((len(codes), 2))  # of the line that a character begins, and of itself, from 1
        numbered[[line[0] for line in head["lines"]], 0] = range(1, len(head["lines"]) + 1)
        numbered[:, 1] = np.arange(1, len(codes) + 1)
        boxes = np.hstack([displayed(corners, head["frame"], head["rotation"]), numbered])
        if is_right_to_left(codes).any():
            codes, order = in_reading_order(codes, boxes, head["own"])
            begun, boxes = boxes[:, LINE], boxes[order]
            boxes[:, LINE] = begun  # a line begins where it began, with another character
        aspect = head["width"] / max(head["height"], 1e-6)
        fields = _fields(head)
        if len(codes) > head["own"] or fields:
            codes, boxes = with_fields(codes, boxes, head["own"], fields)
        text, boxes = clean(codes, boxes, aspect)
        bold = [line[2] for line in head["lines"]]
        text, boxes = in_rows(text, boxes, aspect, bold)
        lined = _ruling(head)
        if head["shapes"] is not None:
            text, boxes, rows = _with_tables(text, boxes, head, bold, lined)
        packed = pack(text, boxes[:, :4])
        if fields:
            filled_in = spans(text, boxes[:, FIELD], fields)
        lines = _printed(boxes[:, LINE], head["lines"])
        if "drawn" in head:
            compared = _to_compare(text, boxes, head, lined)
            doubts = compared.misread()
            if small is None:
                doubts += compared.skipped()
            if small is None or not compared.may_differ(small):
                compared = None
    page = PageText(
        number=head["page"],
        text=text,
        boxes=packed,
        width=head["width"],
        height=head["height"],
        readable=head["readable"],
        picture=bool(frame.body and head["picture"]) and _is_photographed(corners[: head["own"]], head),
        pictured=bool(frame.body and head["picture"]) and _share(head) >= PICTURED,
        suspect=is_suspect(text, head.get("unmapped", 0.0)) or is_misread(text, doubts),
        doubts=tuple(doubts),
        layout=Layout(bookmarks=_bookmarks(bookmarks, head), print=lines, rows=rows, filled_in=filled_in),
        annotations=tuple(filter(None, map(Annotation.from_sandbox, head.get("comments", [])[:MOST]))),
    )
    return page, compared


def _to_compare(text: str, boxes: NDArray[Any], head: dict[str, Any], lined: Ruling) -> Compared:
    size = [max(head["height"], 1.0), max(head["width"], 1.0), max(head["width"], 1.0)]
    return Compared(
        text=text,
        boxes=np.nan_to_num(boxes[:, :4]),
        numbers=boxes[:, NUMBER].astype(np.intp),
        rules=np.array(lined.across).reshape(-1, 3) / size,
        width=head["width"],
        height=head["height"],
    )


def _bookmarks(found: Sequence[Sequence[Any]], head: dict[str, Any]) -> tuple[Bookmark, ...]:
    """Those that have a title."""
    return tuple(
        Bookmark(level=level, title=title, top=_from_top(height, head))
        for level, said, _, height in found
        if (title := _one_line(said))
    )


def _small_drawing(head: dict[str, Any], body: bytes) -> tuple[Drawing | None, bytes]:
    """The drawing in a frame, and the rest of its body. Raises ExtractionError."""
    if not head.get("drawn"):
        return None, body
    width, height = head["drawn"]
    rest = len(body) - width * height
    if min(width, height) < 1 or rest < 0:
        raise ExtractionError("corrupt")
    return Drawing(np.frombuffer(body, np.uint8, offset=rest).reshape(1, height, width)), body[:rest]


def _characters(body: bytes, own: int) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Code points (n,) and sides (n, 4) in points: of the page's own characters, then of those on top."""
    parts = (body[: BYTES * own], body[BYTES * own :])
    counts = [len(part) // BYTES for part in parts]
    codes = [np.frombuffer(part, np.uint32, count) for part, count in zip(parts, counts, strict=True)]
    sides = [np.frombuffer(part[4 * count :], np.float64) for part, count in zip(parts, counts, strict=True)]
    return np.concatenate(codes), np.concatenate(sides).reshape(-1, 4)


def _fields(head: dict[str, Any]) -> list[Field]:
    """Those of a form, where they are on the displayed page."""
    corners = np.array([field["box"] for field in head["fields"]], dtype=np.float64).reshape(-1, 4)
    placed = displayed(corners, head["frame"], head["rotation"]).tolist()
    return [
        Field(
            name=_one_line(field["name"]) or "", value=field["value"], box=tuple(box), ticked=field["ticked"]
        )
        for field, box in zip(head["fields"], placed, strict=True)
    ]


def _with_tables(
    text: str, boxes: NDArray[np.float64], head: dict[str, Any], bold: Sequence[bool], lined: Ruling
) -> tuple[str, NDArray[np.float64], tuple[BlockLine, ...]]:
    sheet = Sheet(width=head["width"], height=head["height"], bold=bold, number=head["page"])
    text, boxes, rows = in_cells(text, boxes, sheet, lined)
    number = head["page"] * TABLES_OF_A_PAGE
    return (
        text,
        boxes,
        tuple(
            BlockLine(start=row.start, end=row.end, table=number + row.table, is_head=row.is_head)
            for row in rows
        ),
    )


def _ruling(head: dict[str, Any]) -> Ruling:
    shapes = np.array(head["shapes"] or [], dtype=np.float64).reshape(-1, 5)
    placed = displayed(shapes[:, :4], head["frame"], head["rotation"])
    placed *= [head["width"], head["height"]] * 2
    return ruling(np.hstack([placed, shapes[:, 4:]]), head["width"], head["height"])


def _printed(numbers: NDArray[np.float64], lines: Sequence[Sequence[Any]]) -> tuple[PrintedLine, ...]:
    """numbers: of the line that each character of the clean text begins, 0 for the others."""
    starts: dict[int, int] = {}
    for place in np.flatnonzero(numbers).tolist():
        starts.setdefault(int(numbers[place]), place)
    return tuple(
        PrintedLine(
            start=start,
            size=_size(lines[number - 1][1]),
            bold=lines[number - 1][2],
            level=lines[number - 1][3],
        )
        for number, start in starts.items()
    )


def _size(points: float) -> float:
    """A file may say anything, also that its letters have no size that can be told."""
    return min(max(points, 0.0), LARGEST_PRINT) if math.isfinite(points) else 0.0


def _from_top(height: float | None, head: dict[str, Any]) -> float | None:
    """Points above the foot of a page that is not turned, as a part of its height from the top."""
    if height is None or not math.isfinite(height) or head.get("rotation") or not head.get("frame"):
        return None
    _, bottom, _, top = head["frame"]
    return min(max((top - height) / max(top - bottom, 1e-6), 0.0), 1.0)


def _is_photographed(corners: NDArray[np.float64], head: dict[str, Any]) -> bool:
    """Whether a picture takes much of the page and no character stands on it: only a running head beside it.

    corners: left, right, bottom, top of each character in points.
    """
    left, right, bottom, top = head["picture"]
    across, up = corners[:, :2].mean(axis=1), corners[:, 2:].mean(axis=1)
    inside = (left < across) & (across < right) & (bottom < up) & (up < top)
    return len(corners) <= FEW_CHARACTERS and _share(head) >= PHOTOGRAPHED and not inside.any()


def _share(head: dict[str, Any]) -> float:
    """Of the page that its largest picture takes."""
    left, right, bottom, top = head["picture"]
    return float((right - left) * (top - bottom) / max(head["width"] * head["height"], 1e-6))


class _Clock:
    """Counts the seconds that reading a document takes, here and in its reader, over all its restarts."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._allowed = limits.document_seconds
        self._spent = self._looked = 0.0

    def allow_pages(self, pages: int) -> None:
        self._allowed += pages * self._limits.document_seconds_per_page

    def is_over(self) -> bool:
        return self._spent > self._allowed

    def may_look(self) -> bool:
        return self._looked < LOOKED_AT * self._allowed

    @contextmanager
    def looking(self) -> Iterator[None]:
        before = self._spent
        try:
            with self.running():
                yield
        finally:
            self._looked += self._spent - before

    @contextmanager
    def running(self) -> Iterator[None]:
        started = time.monotonic()
        try:
            yield
        finally:
            self._spent += time.monotonic() - started

    def timed(self, frames: Generator[sandbox.Frame]) -> Generator[sandbox.Frame]:
        try:
            while True:
                with self.running():
                    frame = next(frames, None)
                if frame is None:
                    return
                if self.is_over():
                    raise ExtractionError("timeout")
                yield frame
        finally:
            frames.close()
