"""A file as LibreOffice draws it: to be looked at beside SVQ's own rendition, never to be cited."""

import re
from collections.abc import Iterable
from pathlib import Path

from formats.base.format import Format
from formats.base.values import PageText, SourceFile
from formats.legacy.format import Legacy
from formats.legacy.office import converted, soffice
from formats.pdf.reader import read_pdf
from formats.slides.format import SLIDES
from formats.word.format import WORD

SECONDS = 30.0  # a person waits
FEWEST_KNOWN = 0.97  # of the words that LibreOffice draws: those that the file's text has
FEWEST_DRAWN = 0.8  # of the words of the file's text; notes of slides are not drawn
_WORD = re.compile(r"[^\W\d_]+")  # numbers of pages are LibreOffice's own


def has_original_look(form: Format) -> bool:
    """Whether LibreOffice is there and draws such files as pages. Sheets it cuts, and prints ### in them."""
    is_office = form in (WORD, SLIDES) or (isinstance(form, Legacy) and form.into is not None)
    return is_office and soffice() is not None


def drawn_by_office(form: Format, file: SourceFile) -> bytes:
    """A PDF. Raises ExtractionError."""
    return converted(file.path, form.suffixes[0], ".pdf", seconds=SECONDS)


def pages_of(pdf: Path) -> list[str]:
    """The text of each page. Raises ExtractionError."""
    return [item.text for item in read_pdf(pdf) if isinstance(item, PageText)]


def agreement(ours: Iterable[str], drawn: Iterable[str]) -> tuple[float, float]:
    """Shares of different words: of the drawn ones those that are known, of the known ones those drawn."""
    known, shown = _words(ours), _words(drawn)
    both = len(known & shown)
    return both / max(len(shown), 1), both / max(len(known), 1)


def agrees(known: float, drawn: float) -> bool:
    return known >= FEWEST_KNOWN and drawn >= FEWEST_DRAWN


def _words(texts: Iterable[str]) -> set[str]:
    return {word.casefold() for text in texts for word in _WORD.findall(text)}
