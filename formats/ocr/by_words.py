"""Pages that are pictures, read by an engine that gives words: a program beside SVQ, or a server."""

import io
import zlib
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from formats.base.errors import ExtractionError
from formats.base.values import Limits, PageText
from formats.ocr.likeness import are_alike, letters
from formats.ocr.reader import (
    LOSABLE,
    LOST_PAGES,
    MOST_LETTERS,
    RecognisedPage,
    ScannedPage,
    recognised_page,
)
from formats.ocr.resolution import pixels_across
from formats.ocr.words import page_of
from formats.pdf.reader import page_pixels
from text.pictures import PicturedWord, PictureText

COVERED = 0.5  # of a word, by letters that the page has as text

Engine = Callable[[bytes], PictureText]  # of a PNG


def recognise_by(
    engine: Engine,
    path: Path,
    pages: Sequence[ScannedPage],
    own: Callable[[int], PageText],
    limits: Limits | None = None,
) -> Generator[RecognisedPage]:
    """Read pages of a PDF one after the other. own: what a page has without OCR, by its number.

    A page that the engine fails at is given as lost; after LOST_PAGES of them no more are read. Raises
    ExtractionError, and what the engine raises besides.
    """
    lost = 0
    for page in pages:
        try:
            read = _read(engine, path, page, own(page.number), limits)
        except ExtractionError as error:
            if error.code not in LOSABLE:
                raise
            lost += 1
            read = RecognisedPage(number=page.number, lost=True)
        yield read
        if lost == LOST_PAGES:
            return


def _read(
    engine: Engine, path: Path, page: ScannedPage, own: PageText, limits: Limits | None
) -> RecognisedPage:
    pixels = page_pixels(path, page.number, pixels_across(own.width), limits=limits)
    picture = io.BytesIO()
    Image.frombytes("RGB", (pixels.width, pixels.height), pixels.rgb).save(picture, "PNG", compress_level=1)
    reading = engine(picture.getvalue())
    if page.is_beside:
        words = [word for word in reading.words if not _stands_as_text(word, own) and _is_in(word, page)]
        reading = PictureText(words=words if reading.quarter_turns == 0 else ())
    if page.has_text and _says_the_same(reading, own.text):
        return RecognisedPage(number=page.number)
    sides = own.width or pixels.width, own.height or pixels.height
    width, height = reversed(sides) if reading.quarter_turns % 2 else sides
    line = page_of(reading.words, width, height)
    if len(line.codes) > MOST_LETTERS:
        raise ExtractionError("corrupt")
    return recognised_page(
        page.number, line.codes, line.places, sides=(width, height), quarter_turns=reading.quarter_turns
    )


def _says_the_same(reading: PictureText, text: str) -> bool:
    shown = "".join(word.text for word in reading.words)
    return not letters(shown) or are_alike(shown, text)


def _is_in(word: PicturedWord, page: ScannedPage) -> bool:
    """Whether the word is in one of the parts that are read."""
    left, top, right, bottom = word.box
    across, down = (left + right) / 2, (top + bottom) / 2
    return not page.regions or any(x0 <= across <= x1 and y0 <= down <= y1 for x0, y0, x1, y1 in page.regions)


def _stands_as_text(word: PicturedWord, own: PageText) -> bool:
    """Whether letters of the page's own text lie where the word was read."""
    boxes = np.frombuffer(zlib.decompress(own.boxes), dtype="<u2").reshape(-1, 4) / 65535
    left, top, right, bottom = word.box
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    inside = (
        (left <= middle[:, 0]) & (middle[:, 0] <= right) & (top <= middle[:, 1]) & (middle[:, 1] <= bottom)
    )
    covered = (boxes[inside, 2] - boxes[inside, 0]).sum()
    return bool(covered >= COVERED * (right - left))
