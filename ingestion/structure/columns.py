"""The columns of a table, told by what is printed below each other. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.structure.segments import Segment

NAME_SLACK = 4.0  # points to the right of the leftmost name
MOST_SPANNED = 12  # columns on either side of those that a head overlaps
NEAR = 12.0  # points between the right edges of figures of one column


@dataclass(slots=True)
class Column:
    """From left to right, in points."""

    x0: float
    x1: float

    def overlap(self, segment: Segment) -> float:
        """Below 0: how far they are apart."""
        return min(self.x1, segment.x1) - max(self.x0, segment.x0)

    def is_name(self, segment: Segment) -> bool:
        """Whether the first cell of a row names it, told by this column, the first one."""
        return segment.x0 <= self.x0 + NAME_SLACK or (not segment.is_figure and segment.x0 < self.x1)


def columns_of(rows: Sequence[Sequence[Segment]]) -> list[Column]:
    """The first holds the names of the rows, the others their values. Fewer than two: this is no table."""
    several = [row for row in rows if len(row) > 1]
    if not several:
        return []
    firsts = [row[0] for row in several]
    left = min((each.x0 for each in firsts if not each.is_figure), default=min(each.x0 for each in firsts))
    named = [row[0] for row in several if not row[0].is_figure or row[0].x0 <= left + NAME_SLACK]
    values = [row[1:] if row[0] in named else row for row in several]
    columns: list[Column] = []
    for each in sorted(values, key=len, reverse=True):
        _add(columns, each)
    right = max((min(name.x1, columns[0].x0) for name in named), default=left)
    return [Column(left, right), *columns]


def over(segment: Segment, columns: Sequence[Column], others: Sequence[Segment]) -> tuple[int, int]:
    """The first and the last column that a head stands over. others: those beside it, which keep
    their own.
    """
    own = [number for number, column in enumerate(columns) if number and column.overlap(segment) > 0]
    if not own:
        own = [max(range(len(columns)), key=lambda number: columns[number].overlap(segment))]
    if own == [0]:
        return 0, 0
    low, high = own[0], own[-1]
    while low > max(1, own[0] - MOST_SPANNED) and not _is_over(others, columns[low - 1]):
        low -= 1
    while high < min(len(columns) - 1, own[-1] + MOST_SPANNED) and not _is_over(others, columns[high + 1]):
        high += 1
    best = own[0], own[-1]
    off = _off(segment, columns[best[0]], columns[best[1]], best[0] == best[1])
    for first in range(low, own[0] + 1):
        for last in range(own[-1], high + 1):
            further = _off(segment, columns[first], columns[last], first == last)
            if further < off - NEAR / 2:
                best, off = (first, last), further
    return best


def _is_over(segments: Sequence[Segment], column: Column) -> bool:
    return any(column.overlap(each) > 0 for each in segments)


def _off(segment: Segment, first: Column, last: Column, is_single: bool) -> float:
    """How far the middle of a head is from that of the columns, or its edges from those of a single one."""
    centred = abs(segment.middle - (first.x0 + last.x1) / 2)
    if not is_single:
        return centred
    return min(centred, abs(segment.x1 - last.x1), abs(segment.x0 - first.x0))


def _add(columns: list[Column], values: Sequence[Segment]) -> None:
    """Widen the columns by the values of one more row; one that is in none makes another."""
    taken: set[int] = set()
    for segment in values:
        free = [number for number in range(len(columns)) if number not in taken]
        choice = max(free, key=lambda number: columns[number].overlap(segment), default=None)
        if choice is not None and _is_in(columns[choice], segment):
            before = columns[choice - 1].x1 if choice else float("-inf")
            after = columns[choice + 1].x0 if choice + 1 < len(columns) else float("inf")
            column = columns[choice]
            column.x0 = min(column.x0, max(segment.x0, before))
            column.x1 = max(column.x1, min(segment.x1, after))
            taken.add(choice)
        else:
            place = sum(column.x0 < segment.x0 for column in columns)
            columns.insert(place, Column(segment.x0, segment.x1))
            taken = {number + (number >= place) for number in taken} | {place}


def _is_in(column: Column, segment: Segment) -> bool:
    return column.overlap(segment) > 0 or abs(column.x1 - segment.x1) <= NEAR
