"""The headings of a document: by its blocks, its outline, its tags or its print, and by numbers. Pure."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from formats.base.layout import Layout, PrintedLine
from formats.base.places import without_rows
from ingestion.structure.numbered_headings import numbered_headings
from ingestion.structure.values import Heading, Table

LONGEST_NAME = 120  # characters of a heading
LONGEST_PRINTED = 160  # characters of a line that may be one by its print
WORDS = 18
LARGER = 1.12  # times the size of most of the text
DEEPEST = 6
RUNNING = 0.2  # share of the pages on which a line stands that is no heading of any
FEWEST_RUNNING = 3  # pages
MOST_FIGURES = 2
FEWEST = 2  # headings by outline or tags; fewer are a title alone

_FIGURE = re.compile(r"\d[\d.,]*")
_NUMBER = re.compile(r"^\W*(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[A-Z][.)])\s+")
_LETTER = re.compile(r"[^\W\d_]")
_PROSE_END = (".", ";", ",", ":", "?", "!", "。", "；", "，")


@dataclass(slots=True, kw_only=True)
class _Printed:
    """A line that may be a heading by its print. start: in the document's text."""

    start: int
    end: int
    text: str
    size: float
    bold: bool
    level: int


@dataclass(slots=True, kw_only=True)
class Outline:
    """Collects what pages say of headings, one page after the other; memory is that of short lines."""

    said: list[Heading] = field(default_factory=list)  # by blocks
    bookmarks: list[Heading] = field(default_factory=list)
    printed: list[_Printed] = field(default_factory=list)
    addresses: list[Heading] = field(default_factory=list)
    sizes: Counter[tuple[float, bool]] = field(default_factory=Counter)
    pages: int = 0
    texts: list[str] = field(default_factory=list)
    rows: list[tuple[int, int]] = field(default_factory=list)
    has_blocks: bool = False

    def add(self, text: str, start: int, layout: Layout, tables: Sequence[Table], address: str) -> None:
        """A page. start: of its text in the document's."""
        self.pages += 1
        self.texts.append(text)
        rows = [(table.start, table.end) for table in tables]
        self.rows += [(start + a, start + b) for a, b in rows]
        if layout.block_lines is not None:
            self.has_blocks = True
            self._add_blocks(text, start, layout, address)
            return
        self._add_bookmarks(text, start, layout)
        for line, end in _with_ends(layout.print, len(text)):
            self._add_line(text, start, line, end, rows)

    def headings(self) -> list[Heading]:
        """In reading order."""
        known = self._known()
        numbered = [
            heading
            for heading in numbered_headings("\n".join(self.texts))
            if not _within(self.rows, heading.start)
        ]
        return _joined(known, numbered)

    def _known(self) -> list[Heading]:
        if self.has_blocks:
            return self.said or (self.addresses if len(self.addresses) > 1 else [])
        running = self._running()
        tagged = [
            Heading(start=line.start, level=line.level, name=line.text)
            for line in self.printed
            if line.level and line.text.casefold() not in running
        ]
        for found in (self.bookmarks, tagged):
            if len(found) >= FEWEST:
                return found
        return self._by_print(running)

    def _add_blocks(self, text: str, start: int, layout: Layout, address: str) -> None:
        for block in layout.block_lines or ():
            name = " ".join(text[block.start : block.end].split())
            if block.level and name:
                self.said.append(
                    Heading(start=start + block.start, level=block.level, name=name[:LONGEST_NAME])
                )
        place = without_rows(address)
        if place and (not self.addresses or self.addresses[-1].name != place):
            self.addresses.append(Heading(start=start, level=1, name=place[:LONGEST_NAME]))

    def _add_bookmarks(self, text: str, start: int, layout: Layout) -> None:
        searched = 0
        folded, places = _folded(text)
        for mark in layout.bookmarks:
            sought = _folded(mark.title)[0]
            found = folded.find(sought, searched) if sought else -1
            if found < 0:
                found = folded.find(sought)
            place = places[found] if found >= 0 and sought else _at_height(layout.print, text, mark.top)
            searched = found + 1 if found >= 0 else searched
            self.bookmarks.append(
                Heading(start=start + place, level=mark.level, name=mark.title[:LONGEST_NAME])
            )

    def _add_line(
        self, text: str, start: int, line: PrintedLine, end: int, rows: Sequence[tuple[int, int]]
    ) -> None:
        said = " ".join(text[line.start : end].split())
        self.sizes[line.size, line.bold] += len(said)
        if _within(rows, line.start) or not (line.level or _may_be_heading(text[line.start : end])):
            return
        last = self.printed[-1] if self.printed else None
        if (
            last
            and last.end + 1 >= start + line.start
            and (last.size, last.bold, last.level) == (line.size, line.bold, line.level)
            and not _NUMBER.match(said)
            and (line.level or len(last.text) > 40 or said[:1].islower())
        ):
            last.text, last.end = f"{last.text} {said}"[:LONGEST_NAME], start + end
            return
        self.printed.append(
            _Printed(
                start=start + line.start,
                end=start + end,
                text=said[:LONGEST_NAME],
                size=line.size,
                bold=line.bold,
                level=line.level,
            )
        )

    def _running(self) -> set[str]:
        """Lines that stand on many pages: heads and feet."""
        counts = Counter(line.text.casefold() for line in self.printed)
        most = max(FEWEST_RUNNING, RUNNING * self.pages)
        return {text for text, count in counts.items() if count >= most}

    def _by_print(self, running: set[str]) -> list[Heading]:
        """Lines that are larger or bolder than most of the text; each kind of print is a level."""
        if not self.sizes:
            return []
        body, body_bold = self.sizes.most_common(1)[0][0]
        chosen = [
            line
            for line in self.printed
            if line.text.casefold() not in running
            and (line.size >= LARGER * body or (line.bold and not body_bold and line.size >= 0.95 * body))
        ]
        kinds = sorted({(line.size, line.bold) for line in chosen}, reverse=True)
        levels = {kind: min(level, DEEPEST) for level, kind in enumerate(kinds, start=1)}
        return [
            Heading(start=line.start, level=levels[line.size, line.bold], name=line.text) for line in chosen
        ]


def paths(headings: Iterable[Heading]) -> Iterator[tuple[Heading, str]]:
    """Each with the headings over it and itself, the outermost first."""
    path: list[Heading] = []
    for heading in headings:
        path = [*(outer for outer in path if outer.level < heading.level), heading]
        yield heading, JOINER.join(each.name for each in path)[:LONGEST_PATH]


JOINER = " › "
LONGEST_PATH = 300  # characters


def _joined(known: Sequence[Heading], numbered: Sequence[Heading]) -> list[Heading]:
    """Both; a numbered heading that is not known otherwise stands below the known one before it, as deep as
    its number says.
    """
    if not known:
        return list(numbered)
    starts = {heading.start: heading for heading in known}
    depth = {heading.start: heading.level for heading in numbered}
    merged = sorted(
        [*known, *(each for each in numbered if each.start not in starts)], key=lambda each: each.start
    )
    made: list[Heading] = []
    path: list[tuple[Heading, int]] = []  # with the depth of its number, 0 without
    for heading in merged:
        if heading.start in starts:
            level, number = heading.level, depth.get(heading.start, 0)
        else:
            number = heading.level
            above = next((pair for pair in reversed(path) if pair[1] < number), None)
            level = min(above[0].level + number - above[1] if above else number, DEEPEST + 2)
        placed = Heading(start=heading.start, level=level, name=heading.name)
        path = [*(pair for pair in path if pair[0].level < level), (placed, number)]
        made.append(placed)
    return made


def _with_ends(lines: Sequence[PrintedLine], length: int) -> Iterator[tuple[PrintedLine, int]]:
    for place, line in enumerate(lines):
        yield line, (lines[place + 1].start - 1 if place + 1 < len(lines) else length)


def _within(spans: Sequence[tuple[int, int]], offset: int) -> bool:
    """spans: in order, none over another."""
    place = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return place >= 0 and offset < spans[place][1]


def _may_be_heading(text: str) -> bool:
    """Short words that are no row, no sentence and no figures."""
    said = " ".join(text.split())
    if not said or len(said) > LONGEST_PRINTED or len(said.split()) > WORDS or not _LETTER.search(said):
        return False
    if said.endswith(_PROSE_END) or len(_FIGURE.findall(_NUMBER.sub("", said))) >= MOST_FIGURES:
        return False
    return text.strip().count("\t") <= 1


def _folded(text: str) -> tuple[str, list[int]]:
    """Letters and figures alone, in small letters, and where each stands."""
    places = [place for place, letter in enumerate(text) if letter.isalnum()]
    return "".join(text[place].casefold()[0] for place in places), places


def _at_height(lines: Sequence[PrintedLine], text: str, top: float | None) -> int:
    """Where on a page an outline's entry leads whose title is not printed there."""
    if top is None or not lines:
        return 0
    return lines[min(int(top * len(lines)), len(lines) - 1)].start
