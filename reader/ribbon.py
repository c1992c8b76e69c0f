"""A document's chunks drawn as a ribbon along its length: section, type, tokens, quality, overlap. Pure.

Shapes of one colour are one SVG path, so that a document of thousands of chunks stays a small drawing.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _

from ingestion.models import Chunk
from localization.numbers import numeral

WIDTH = 1290.0
GAP = 0.8  # between two shapes
TYPE_TOP, TYPE_HEIGHT = 50, 30
TOKENS_BOTTOM, TOKENS_HEIGHT = 124, 30
QUALITY_TOP, QUALITY_HEIGHT = 132, 14
LABELS = 12  # page numbers written at most
LETTER = 6.2  # width of a letter of a section's name
POOR, FAIR = 0.5, 0.7  # a quality below is drawn red, below is drawn amber


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSpan:
    """Where a page lies: offsets in the document's text."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A stretch of the ribbon: a page, a section or the chosen chunk. Widths in the drawing's units."""

    x: float
    width: float
    label: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ribbon:
    """kinds and qualities: (class, path) of each colour."""

    pages: list[Band]
    sections: list[Band]
    kinds: list[tuple[str, str]]
    tokens: str
    qualities: list[tuple[str, str]]
    overlap: str
    now: Band | None


def draw(
    chunks: Sequence[Chunk],
    pages: Sequence[PageSpan],
    chosen: Chunk | None,
    headings: Sequence[tuple[int, str]] = (),
) -> Ribbon:
    """A document's chunks, pages and headings, each in order. headings: the offset and the words of each."""
    length = max([1, *(chunk.end for chunk in chunks), *(page.end for page in pages[-1:])])
    scale = WIDTH / length
    most = max((chunk.token_count for chunk in chunks), default=0) or 1
    kinds, qualities, tokens = defaultdict(list), defaultdict(list), []
    drawn = 0  # up to here
    for chunk in chunks:
        start, drawn = max(chunk.start, drawn), chunk.end
        x, width = start * scale, max((chunk.end - start) * scale - GAP, 0.6)
        kinds["out" if chunk.left_out else chunk.kind].append(_bar(x, TYPE_TOP, width, TYPE_HEIGHT))
        height = TOKENS_HEIGHT * chunk.token_count / most
        tokens.append(_bar(x, TOKENS_BOTTOM - height, width, height))
        qualities[grade(chunk.quality)].append(_bar(x, QUALITY_TOP, width, QUALITY_HEIGHT))
    return Ribbon(
        pages=_pages(pages, scale),
        sections=_sections(headings, length, scale),
        kinds=_paths(kinds),
        tokens="".join(tokens),
        qualities=_paths(qualities),
        overlap="".join(
            _bar(after.start * scale, TYPE_TOP, (before.end - after.start) * scale, TYPE_HEIGHT)
            for before, after in pairwise(chunks)
            if after.start < before.end
        ),
        now=_band(chosen.start, chosen.end, scale) if chosen else None,
    )


def grade(quality: float) -> str:
    """good, fair or poor."""
    return "poor" if quality < POOR else "fair" if quality < FAIR else "good"


def _bar(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:.1f} {y:.1f}h{width:.1f}v{height:.1f}h{-width:.1f}z"


def _paths(shapes: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(name, "".join(bars)) for name, bars in sorted(shapes.items())]


def _band(start: int, end: int, scale: float, label: str = "", number: int = 0) -> Band:
    width = round(max((end - start) * scale, 2.0), 1)
    return Band(x=round(start * scale, 1), width=width, label=label, number=number)


def _pages(pages: Sequence[PageSpan], scale: float) -> list[Band]:
    step = -(-len(pages) // LABELS)
    return [
        _band(page.start, page.end, scale, _page_name(page.number) if index % step == 0 else "", page.number)
        for index, page in enumerate(pages)
    ]


def _page_name(number: int) -> str:
    return _("p. {n}").format(n=numeral(number))


def _sections(headings: Sequence[tuple[int, str]], length: int, scale: float) -> list[Band]:
    """Each heading up to the next."""
    ends = [start for start, _ in headings[1:]] + [length] * bool(headings)
    bands = [_band(start, end, scale, name) for (start, name), end in zip(headings, ends, strict=True)]
    return [
        Band(x=band.x, width=band.width - 1, label=_shortened(band.label, band.width))
        for band in bands
        if band.width > 2
    ]


def _shortened(name: str, width: float) -> str:
    room = int((width - 16) / LETTER)
    return name if len(name) <= room else name[: room - 1].rstrip() + "…" if room >= 4 else ""
