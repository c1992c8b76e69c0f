"""The lines and pages of a text as a typewriter would set them. Pure."""

import unicodedata
from collections.abc import Iterator
from functools import cache

from formats.base.errors import ExtractionError, gettext_noop, too_large
from formats.rendition.page import Page
from formats.rendition.typesetting import COLUMNS, ROWS

TAB = 8  # columns
MAX_PAGES = 5_000
MAX_CHARACTERS = 2 * COLUMNS  # of a row: marks take no column, and white space may go beyond the edge


def lay_out(text: str) -> list[Page]:
    """Pages of lines that fit; a form feed ends a page, and a page without a word is left out.

    text: as decoding.decode gives it. Joined by line ends, the pages' texts are the text but for white space
    at their edges. Raises ExtractionError.
    """
    pages = [page for part in text.split("\f") for page in _pages(part)]
    if not pages:
        raise ExtractionError(
            "empty", gettext_noop("This file holds only white space: there is nothing to read in it.")
        )
    if len(pages) > MAX_PAGES:
        raise too_large("This text would fill {n} pages; {most} are allowed.", n=len(pages), most=MAX_PAGES)
    return pages


def _pages(text: str) -> Iterator[Page]:
    rows = list(_rows(text))
    for start in range(0, len(rows), ROWS):
        page = rows[start : start + ROWS]
        words = "".join(page).rstrip()
        if words:
            yield Page(text=words, lines=tuple(row.rstrip().expandtabs(TAB) for row in page))


def _rows(text: str) -> Iterator[str]:
    """The text cut into what one row holds; joined they are the text again."""
    for line in text.splitlines(keepends=True):
        if len(line) <= COLUMNS // TAB or (len(line) <= COLUMNS and line.isascii() and "\t" not in line):
            yield line
        else:
            yield from _wrap(line)


def _wrap(line: str) -> Iterator[str]:
    """Cut behind a space where there is one, else behind any character."""
    start = column = 0
    gap, gap_column = 0, 0  # behind the last white space of the row
    for place, character in enumerate(line):
        if place - start == MAX_CHARACTERS:
            yield line[start:place]
            start = gap = place
            column = gap_column = 0
        if character.isspace():
            column += TAB - column % TAB if character == "\t" else character != "\n"
            gap, gap_column = place + 1, column
            continue
        width = columns(character)
        if column + width > COLUMNS:
            cut, cut_column = (gap, gap_column) if gap > start else (place, column)
            yield line[start:cut]
            start, column = cut, column - cut_column
        column += width
    yield line[start:]


@cache
def columns(character: str) -> int:
    """0 for what stands on the letter before, 2 for letters of East Asia and pictures, else 1."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "FW" else 1
