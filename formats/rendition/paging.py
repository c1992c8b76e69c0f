"""Where in a document's text each drawn page begins and ends, told by what is drawn on it. Pure.

Typst breaks the pages, so the text is followed through them letter by letter.
"""

import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice, pairwise

import numpy as np
from numpy.typing import NDArray

from formats.base.annotations import MOST, Annotation
from formats.base.characters import one_line
from formats.base.layout import BlockLine, Layout
from formats.base.places import with_rows
from formats.base.values import PageText
from formats.rendition.alignment import boxes_of_page, letters_at, printed, with_source_text
from formats.rendition.parts import MARGIN
from formats.rendition.reading_text import Line

SLACK = 400  # letters of a page that may be lost, or be drawn besides
TAILS = (32, 16, 8)  # letters at the end of a page, by which its end in the text is found
SCALE = 65535
READ_AHEAD = 100_000  # characters


@dataclass(slots=True, kw_only=True)
class _Window:
    """The lines from where the last page ended, as far as they were looked at. starts: where each line begins
    in the text. places: of the letters in it. at: the next letter that is on no page yet.
    """

    rest: Iterator[Line]
    lines: list[Line] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    text: str = ""
    places: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    letters: str = ""
    at: int = 0

    def reach(self, letters: int | None) -> None:
        """Have so many letters ahead, or all that there are."""
        while letters is None or len(self.places) - self.at < letters:
            further: list[Line] = []
            length = 0
            for line in self.rest:
                further.append(line)
                length += len(line.text)
                if length >= READ_AHEAD:
                    break
            if not further:
                return
            self._extend(further)

    def _extend(self, further: Sequence[Line]) -> None:
        """Add lines, and forget those that are on pages."""
        ahead = len(self.places) - self.at
        first = bisect_right(self.starts, self.places[self.at]) - 1 if ahead else len(self.lines)
        self.lines = [*self.lines[first:], *further]
        self.starts, pieces, length = [], list[str](), 0
        for line in self.lines:
            gap = "" if not pieces else "\n\n" if line.apart else "\n"
            self.starts.append(length + len(gap))
            pieces.append(gap + line.text)
            length += len(gap) + len(line.text)
        added = len(_letters("".join(line.text for line in further)))
        self.text = "".join(pieces)
        self.places = printed(self.text)
        self.letters = letters_at(self.text, self.places)
        self.at = len(self.places) - added - ahead


def paged(drawn: Iterable[PageText], lines: Iterable[Line], pages: int) -> Iterator[PageText]:
    """The drawn pages, `pages` of them, with the text and the addresses of the lines that stand on them."""
    ahead = _Window(rest=iter(lines))
    for page in drawn:
        if not page.readable:
            yield page
            continue
        inner = _without_margins(page)
        shown = letters_at(inner.text, printed(inner.text))
        ahead.reach(None if page.number == pages else len(shown) + SLACK)
        starts, text, places, at = ahead.starts, ahead.text, ahead.places, ahead.at
        heads = _repeated_heads(ahead, shown) if page.number > 1 else ""
        below = shown[len(_letters(heads)) :]
        end = (
            len(places)
            if page.number == pages
            else at + _reach(below, ahead.letters[at : at + len(below) + SLACK])
        )
        first = bisect_right(starts, places[at]) - 1 if end > at else 0
        last = bisect_right(starts, places[end - 1]) if end > at else 0
        begun = _beginning(ahead, first) if end > at else 0
        own = text[begun : places[end - 1] + 1] if end > at else ""
        whole = f"{heads}\n{own}" if heads else own
        yield replace(
            with_source_text(inner, whole),
            address=_address(ahead.lines[first:last]) if end > at else _in_margin(page),
            layout=Layout(block_lines=tuple(_blocks(ahead, first, last, begun, heads, len(whole)))),
            annotations=tuple(islice(_annotations(ahead, end, is_last=page.number == pages), MOST)),
        )
        ahead.at = end


def _annotations(ahead: _Window, end: int, *, is_last: bool) -> Iterator[Annotation]:
    """What is annotated on the page that ends before the letter `end` of those ahead: each is on the page on
    which the words end that it is on, else the line.
    """
    start = int(ahead.places[ahead.at - 1]) + 1 if ahead.at else 0
    stop = int(ahead.places[end - 1]) + 1 if end else 0
    stop = len(ahead.text) + 1 if is_last else stop
    for number in range(max(bisect_right(ahead.starts, start) - 1, 0), bisect_right(ahead.starts, stop)):
        line = ahead.lines[number]
        for told in line.annotations:
            said = Annotation.from_sandbox(told)
            if said is None:
                continue
            found = line.text.find(said.quote) if said.quote else -1
            length = len(line.text) if found < 0 else found + len(said.quote)
            if start <= ahead.starts[number] + max(length - 1, 0) < stop:
                yield said


def _blocks(
    ahead: _Window, first: int, last: int, begun: int, heads: str, length: int
) -> Iterator[BlockLine]:
    """The headings and rows among the lines of a page. begun: where the page begins in the text ahead. heads:
    repeated above it. length: of the page's text.
    """
    above = len(heads) + 1 if heads else 0
    if heads:
        ends = list(accumulate(len(line) + 1 for line in heads.split("\n")))
        table = ahead.lines[first].table
        for start, end in pairwise([0, *ends]):
            yield BlockLine(start=start, end=end - 1, table=table, is_head=True)
    for number in range(first, last):
        line = ahead.lines[number]
        if line.level or line.table:
            start = above + ahead.starts[number] - begun
            yield BlockLine(
                start=max(0, start),
                end=min(start + len(line.text), length),
                level=0 if start < 0 else line.level,
                table=line.table,
                is_head=line.is_head,
                row=line.row or 0,
            )


def _in_margin(page: PageText) -> str:
    """What stands above the page: the address of one without words, such as a slide that is a picture."""
    top = MARGIN / page.height * SCALE
    above = (boxes_of_page(page)[:, 3] < top - 1).tolist()
    return one_line("".join(letter for letter, is_above in zip(page.text, above, strict=True) if is_above))


def _without_margins(page: PageText) -> PageText:
    """The page without what stands in its margins: addresses and the numbers of rows."""
    boxes = boxes_of_page(page)
    if not len(boxes):
        return page
    left, top = MARGIN / page.width * SCALE, MARGIN / page.height * SCALE
    beside = boxes.any(axis=1) & ((boxes[:, 2] < left - 1) | (boxes[:, 3] < top - 1))
    kept = np.flatnonzero(~beside)
    if len(kept) == len(boxes):
        return page
    text = "".join(page.text[place] for place in kept)
    return replace(page, text=text, boxes=zlib.compress(boxes[kept].tobytes(), 1))


def _repeated_heads(ahead: _Window, shown: str) -> str:
    """The heads of the table that goes on at this page, where they are drawn on it again."""
    if ahead.at >= len(ahead.places):
        return ""
    heads = ahead.lines[bisect_right(ahead.starts, ahead.places[ahead.at]) - 1].heads
    return heads if heads and shown.startswith(_letters(heads)) else ""


def _beginning(ahead: _Window, line: int) -> int:
    """Where the text of the next page begins: with the line's blank cells, if it begins there."""
    letter, start = int(ahead.places[ahead.at]), ahead.starts[line]
    return letter if ahead.text[start:letter].strip() else start


def _letters(text: str) -> str:
    return letters_at(text, printed(text)) if text else ""


def _reach(shown: str, ahead: str) -> int:
    """How many letters of the text ahead are on the page that shows these."""
    if ahead.startswith(shown):
        return len(shown)
    for size in TAILS:
        for back in range(0, min(SLACK, max(len(shown) - size, 1)), size):
            end = len(shown) - back
            piece = shown[max(0, end - size) : end]
            found = _nearest(ahead, piece, end - len(piece))
            if found is not None:
                return min(found + len(piece) + back, len(ahead))
    return min(len(shown), len(ahead))


def _nearest(text: str, piece: str, place: int) -> int | None:
    before, after = text.rfind(piece, 0, place + len(piece)), text.find(piece, place)
    found = [each for each in (before, after) if each >= 0]
    return min(found, key=lambda each: abs(each - place)) if found and piece else None


def _address(lines: Sequence[Line]) -> str:
    """What the lines of one page are called: the first one's place, and which rows of a sheet they are."""
    if not lines:
        return ""
    place = lines[0].address
    rows = [line.row for line in lines if line.row is not None and line.address == place]
    return with_rows(place, rows[0], rows[-1]) if rows else place
