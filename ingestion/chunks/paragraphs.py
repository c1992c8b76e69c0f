"""A text by its paragraphs: short ones grouped, long ones cut between sentences, tables kept together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from text.normal_forms.spaceless import ENDS
from text.sentences import sentences
from text.tables.table_lines import is_table_line

LONGEST_TABLE = 8000  # characters; a longer one is cut between two rows
FEWEST_ROWS = 2
WRAPPED_CELL = 60  # characters of a line between two rows that goes on with a cell
CAPTION = 120  # characters of a line before a table that names it
WINDOW = 3000  # characters

_EMPTY_LINE = re.compile(r"\n[ ]*\n")
_PARAGRAPH_END = re.compile(rf"\n[ ]*\n|(?<=[.!?{ENDS}])\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """text[start:end], a chunk to be. `whole`: a table, which nothing is added to or cut from."""

    start: int
    end: int
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unit:
    """A sentence, heading or item; or a table. `begins`: it is the first of its paragraph."""

    start: int
    end: int
    begins: bool
    is_table: bool = False


Rows = Sequence[tuple[int, int]]  # of a table: from and to


def groups(text: str, size: int, tables: Sequence[Rows] = ()) -> Iterator[Group]:
    """In order, without overlap. At most `size` characters but for tables, and for sentences that are longer;
    paragraphs are grouped until they have half of that.

    tables: those that are known, in order; others are told by their lines.
    """
    held: list[_Unit] = []
    for unit in _parts(text, tables):
        if held:
            is_full = unit.end - held[0].start > size
            is_enough = unit.begins and held[-1].end - held[0].start >= size // 2
            if is_full or is_enough:
                caption = _caption(text, held) if unit.is_table else len(held)
                if caption:
                    yield Group(start=held[0].start, end=held[caption - 1].end)
                held = held[caption:]
        held.append(unit)
        if unit.is_table:
            yield Group(start=held[0].start, end=unit.end, whole=True)
            held = []
    if held:
        yield Group(start=held[0].start, end=held[-1].end)


def _caption(text: str, held: Sequence[_Unit]) -> int:
    """Where in `held` the line begins that names the table behind it; its length without such a line."""
    first = len(held) - 1
    while first and not held[first].begins:
        first -= 1
    said = text[held[first].start : held[-1].end]
    is_caption = len(said) <= CAPTION and not said.endswith((".", "!", "?", ";", *ENDS))
    return first if is_caption else len(held)


def _parts(text: str, tables: Sequence[Rows]) -> Iterator[_Unit]:
    """The units of the text: known tables, and what stands between them."""
    done = 0
    for rows in tables:
        if rows[0][0] < done:
            continue
        yield from _shifted(_units(text[done : rows[0][0]]), done)
        yield from _of_table(rows)
        done = rows[-1][1]
    yield from _shifted(_units(text[done:]), done)


def _shifted(units: Iterator[_Unit], by: int) -> Iterator[_Unit]:
    return (replace(unit, start=unit.start + by, end=unit.end + by) for unit in units)


def _of_table(rows: Rows) -> Iterator[_Unit]:
    """One, or several where it is longer than a table may be."""
    start, end = rows[0]
    for begun, ended in rows[1:]:
        if ended - start > LONGEST_TABLE:
            yield _Unit(start=start, end=end, begins=True, is_table=True)
            start = begun
        end = ended
    yield _Unit(start=start, end=end, begins=True, is_table=True)


def _units(text: str) -> Iterator[_Unit]:
    spans = [(start + a, start + b) for start, end in _windows(text) for a, b in sentences(text[start:end])]
    is_row = [is_table_line(text[start:end]) for start, end in spans]
    is_cell = [_may_be_cell(text, *around) for around in _with_neighbours(spans)]
    position = 0
    while position < len(spans):
        after = _table_end(spans, is_row, is_cell, position)
        start, end = spans[position][0], spans[after - 1][1]
        before = spans[position - 1][1] if position else 0
        yield _Unit(
            start=start,
            end=end,
            begins=not position or "\n" in text[before:start],
            is_table=sum(is_row[position:after]) >= FEWEST_ROWS,
        )
        position = after


def _with_neighbours(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """The end of the span before, the span, and the start of the one after it."""
    for place, (start, end) in enumerate(spans):
        before = spans[place - 1][1] if place else start
        after = spans[place + 1][0] if place + 1 < len(spans) else end
        yield before, start, end, after


def _may_be_cell(text: str, before: int, start: int, end: int, after: int) -> bool:
    """Whether a line between two rows may be the rest of a wrapped cell: short, no sentence, and without an
    empty line before or behind it.
    """
    is_close = not any(_EMPTY_LINE.search(text, a, b) for a, b in ((before, start), (end, after)))
    return (
        is_close and end - start <= WRAPPED_CELL and not text[start:end].endswith((".", "!", "?", ";", ":"))
    )


def _table_end(
    spans: Sequence[tuple[int, int]], is_row: Sequence[bool], is_cell: Sequence[bool], first: int
) -> int:
    """Behind the last row of the table that begins here; what is no table is one span."""
    if not is_row[first]:
        return first + 1
    last = first
    for place, following in pairwise([*range(first + 1, len(spans)), len(spans)]):
        if spans[place][1] - spans[first][0] > LONGEST_TABLE:
            break
        goes_on = following < len(spans) and is_row[following] and is_cell[place]
        if is_row[place]:
            last = place
        elif not goes_on:
            break
    return last + 1


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Parts of a size by which short lines can be told from wrapped ones; each ends with a line."""
    start = 0
    while start < len(text):
        found = _PARAGRAPH_END.search(text, start + WINDOW, start + 2 * WINDOW)
        end = found.end() if found else text.find("\n", start + 2 * WINDOW) + 1 or len(text)
        yield start, end
        start = end
