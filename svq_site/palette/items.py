"""What the palette offers: items in groups, each a link, with the words that were typed marked in it."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from text.search.stretches import Stretch

WIDTH = 140  # characters of a passage that are shown
LEAD = 40  # of them before the first word found


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One place to go: `note` says where it belongs."""

    name: list[Stretch]
    address: str
    icon: str
    note: str = ""
    quoted: bool = False  # the name is a document's own words


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    name: str
    items: list[Item]


def plain(text: str) -> list[Stretch]:
    return [Stretch(text=text, marked=False)]


def marked(text: str, words: Collection[str], *, begins: bool = False) -> list[Stretch]:
    """The text, cut where the words occur in it; with `begins`, only where they begin a word of the text."""
    pattern = _pattern(words, begins)
    if pattern is None:
        return plain(text)
    parts = pattern.split(text)  # the odd ones are what was found
    return [Stretch(text=part, marked=bool(place % 2)) for place, part in enumerate(parts) if part]


def excerpt(text: str, words: list[str]) -> list[Stretch]:
    """The part of a text where most of the words are closest together, marked."""
    text = " ".join(text.split())
    start = max(_densest(text, words) - LEAD, 0)
    if start:
        start = text.find(" ", start) + 1
    cut = text[start : start + WIDTH]
    if start + WIDTH < len(text):
        cut = cut.rpartition(" ")[0] + " …"
    return marked("… " * bool(start) + cut, words, begins=True)


def _densest(text: str, words: list[str]) -> int:
    """Where the stretch of WIDTH - LEAD characters with most of the different words begins."""
    pattern = _pattern(words, begins=True)
    places = [(hit.start(), hit[0].lower()) for hit in pattern.finditer(text)] if pattern else []
    best = max(
        range(len(places)),
        key=lambda at: len({word for place, word in places[at:] if place < places[at][0] + WIDTH - LEAD}),
        default=None,
    )
    return 0 if best is None else places[best][0]


def _pattern(words: Collection[str], begins: bool) -> re.Pattern[str] | None:
    if not words:
        return None
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    start = r"(?<!\w)" if begins else ""
    return re.compile(f"{start}({'|'.join(longest_first)})", re.IGNORECASE)
