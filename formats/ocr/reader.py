"""Pages that are pictures, read in a child process (child_process.py): their text, boxes and certainty."""

import os
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from formats.base import sandbox
from formats.base.doubts import Doubt, DoubtKind
from formats.base.errors import ExtractionError
from formats.base.values import MEGABYTE, Limits, PageText
from formats.ocr.certainty import pack_certainty
from formats.ocr.unread_regions import is_sound, unread_regions
from formats.pdf.compared.unseen import around
from formats.pdf.page_text.clean import clean, pack

MEMORY_BYTES = 1000 * MEGABYTE
PAGE_SECONDS = 180.0  # ten times what a dense page takes where others work, too
THREADS = min(2, os.cpu_count() or 1)
LOST_PAGES = 3
MOST_LETTERS = Limits().page_characters
MOST_POINTS = 1e6  # along a side of a page
LEAST_CERTAINTY = 0.6  # of a page, 0 to 1: what is less sure is of a script that the models cannot read
_CHILD = Path(__file__).with_name("child_process.py")
LOSABLE = {"timeout", "memory", "corrupt"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedPage:
    """A page to be read. has_text: it has a text of its own, which is kept if it is what the page shows.

    only_pictures: it has a text of its own, and what stands in its pictures is read beside that. regions: the
    same of parts of the page: left, top, right, bottom as parts of its sides.
    """

    number: int
    has_text: bool = False
    only_pictures: bool = False
    regions: tuple[tuple[float, float, float, float], ...] = ()

    @property
    def is_beside(self) -> bool:
        """Whether what is read goes beside the page's own text."""
        return self.only_pictures or bool(self.regions)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognisedPage:
    """What OCR made of a page; no text where its own one is right, or where reading it failed (`lost`).

    page: as it lies after `quarter_turns` clockwise. certainty: as pack_certainty gives
    it for its text; confidence: the mean of that, 0 to 1, None without any. unread: print in scripts that
    the reader does not know.
    """

    number: int
    page: PageText | None = None
    quarter_turns: int = 0
    certainty: bytes = b""
    confidence: float | None = None
    lost: bool = False
    unread: tuple[Doubt, ...] = ()


def recognise(
    path: Path,
    pages: Sequence[ScannedPage],
    *,
    languages: Sequence[str] = (),
    memory_bytes: int = MEMORY_BYTES,
) -> Generator[RecognisedPage]:
    """Read pages of a PDF one after the other. Close the generator to stop early.

    languages: that the print is in, of `languages.BUILT_IN`; empty: all of them.

    A page that crashes, hangs or bloats the reader is given as lost; after LOST_PAGES of them no more are
    read. Raises ExtractionError.
    """
    waiting = list(pages)
    lost = 0
    while waiting:
        try:
            with closing(_frames(path, waiting, languages, memory_bytes)) as frames:
                for page, frame in zip([*waiting], frames, strict=False):  # more frames are not listened to
                    yield _recognised(frame, page)
                    del waiting[0]
            if not waiting:
                return
            raise ExtractionError("corrupt")
        except ExtractionError as error:
            lost += 1
            if error.code not in LOSABLE:
                raise
        yield RecognisedPage(number=waiting.pop(0).number, lost=True)
        if lost == LOST_PAGES:
            return


def _frames(
    path: Path, pages: Sequence[ScannedPage], languages: Sequence[str], memory_bytes: int
) -> Generator[sandbox.Frame]:
    request = {
        "path": str(path),
        "password": None,
        "threads": THREADS,
        "languages": list(languages),
        "pages": [[page.number, page.has_text, page.only_pictures, page.regions] for page in pages],
    }
    return sandbox.frames(
        _CHILD,
        request,
        memory_bytes=memory_bytes,
        frame_seconds=PAGE_SECONDS,
        cpu_seconds=PAGE_SECONDS * (len(pages) + 1),
    )


def _recognised(frame: sandbox.Frame, page: ScannedPage) -> RecognisedPage:
    """What a frame says of the page. Raises ExtractionError: a child taken over may send anything."""
    head = frame.head
    if head.get("page") != page.number:
        raise ExtractionError("corrupt")
    if page.has_text and head.get("kept") is True:
        return RecognisedPage(number=page.number)
    count, rest = divmod(len(frame.body), 44)
    if rest or count > MOST_LETTERS or not _is_sound(head):
        raise ExtractionError("corrupt")
    codes = np.frombuffer(frame.body, dtype="<u4", count=count).astype(np.uint32)
    places = np.frombuffer(frame.body, dtype="<f8", offset=4 * count).reshape(count, 5)
    if not ((places >= 0) & (places <= 1)).all():
        raise ExtractionError("corrupt")
    read = recognised_page(
        page.number,
        codes,
        places,
        sides=(head["width"], head["height"]),
        quarter_turns=head["quarter_turns"],
    )
    return replace(read, unread=(*read.unread, *unread_regions(head.get("unread", []))))


def recognised_page(
    number: int,
    codes: NDArray[np.uint32],
    places: NDArray[np.float64],
    *,
    sides: tuple[float, float],
    quarter_turns: int,
) -> RecognisedPage:
    """codes: (n,). places: (n, 5), as in assembly.Line. sides: of the upright page in points."""
    width, height = sides
    unread: tuple[Doubt, ...] = ()
    if len(codes) and places[:, 4].mean() < LEAST_CERTAINTY:
        unread = (Doubt(kind=DoubtKind.UNREAD, box=around(places[:, :4])),)
        codes, places = codes[:0], places[:0]
    text, places = clean(codes, places, width / max(height, 1e-6))
    printed = places[:, :4].any(axis=1)
    return RecognisedPage(
        number=number,
        page=PageText(number=number, text=text, boxes=pack(text, places[:, :4]), width=width, height=height),
        quarter_turns=quarter_turns,
        certainty=pack_certainty(places[:, 4]),
        confidence=float(places[printed, 4].mean()) if printed.any() else None,
        unread=unread,
    )


def _is_sound(head: dict[str, Any]) -> bool:
    """Whether it tells a size and a turn that a page can have."""
    sides, turns = (head.get("width"), head.get("height")), head.get("quarter_turns")
    return (
        is_sound(head.get("unread", []))
        and isinstance(turns, int)
        and turns in range(4)
        and all(isinstance(side, int | float) and 0 <= side <= MOST_POINTS for side in sides)
    )
