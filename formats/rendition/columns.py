"""How wide the columns of a table are set, and how wide its page must be. Pure."""

import math
from array import array
from collections.abc import Iterator, Sequence

from formats.rendition.blocks import Cell, Row, Table

LETTER = 5.2  # points of an average letter at the size of tables; letters of East Asia take two
BOLD = 1.15  # times as wide are the letters of heads
PADDING = 8.0  # points of a cell, both sides together
NARROWEST, WIDEST = 24.0, 220.0  # points
MOST_LINES = 30  # of a cell: a row is never cut by the end of a page
USUAL = 0.98  # of the cells of a column are no longer than what its width is made for
LONGEST_WORD = 24  # letters that are kept together
WIDEST_TABLE = 3_000.0  # points; what is wider is set in bands of columns, one after the other


def columns_of(table: Table) -> int:
    return max(
        (sum(1 if isinstance(cell, str) else cell.columns for cell in row) for row in table.rows), default=0
    )


def widths(table: Table, available: float) -> list[float]:
    """Of each column in points; together more than `available` only where words would not fit otherwise."""
    natural, least = _measured(table)
    if sum(natural) <= available:
        return natural
    spare = available - sum(least)
    if spare < 0:
        return natural if table.numbers else least
    wish = sum(natural) - sum(least)
    return [low + spare * (high - low) / wish for low, high in zip(least, natural, strict=True)]


def bands(table: Table) -> list[Table]:
    """The table, in parts of columns that fit a page; one with cells across columns is not cut."""
    natural, _ = _measured(table)
    if sum(natural) <= WIDEST_TABLE or any(isinstance(cell, Cell) for row in table.rows for cell in row):
        return [table]
    cuts, reached = [0], 0.0
    for column, width in enumerate(natural):
        if reached + width > WIDEST_TABLE:
            cuts.append(column)
            reached = 0.0
        reached += width
    return [
        Table(
            rows=[row[first:last] for row in table.rows],
            heads=table.heads,
            numbers=table.numbers,
            annotations={} if first else table.annotations,
        )
        for first, last in zip(cuts, [*cuts[1:], len(natural)], strict=True)
    ]


def _measured(table: Table) -> tuple[list[float], list[float]]:
    """For each column the width that its cells would like, and the least at which words stay whole."""
    count = columns_of(table)
    lengths = [array("I") for _ in range(count)]
    words = [0] * count
    for column, cell in _narrow_cells(table.rows):
        lengths[column].append(_letters(cell))
        if words[column] < LONGEST_WORD:
            words[column] = max(words[column], _longest_word(cell))
    heads = [0] * count
    for start, end in table.heads:
        for column, cell in _narrow_cells(table.rows[start:end]):
            heads[column] = max(heads[column], math.ceil(_longest_word(cell) * BOLD))
    natural = [
        _points(max(_usual(found), max(found, default=0) // MOST_LINES, head))
        for found, head in zip(lengths, heads, strict=True)
    ]
    return natural, [min(_points(word), wish) for word, wish in zip(words, natural, strict=True)]


def _narrow_cells(rows: Sequence[Row]) -> Iterator[tuple[int, str]]:
    """Those with words that span no columns, each with its own."""
    for row in rows:
        column = 0
        for cell in row:
            across = cell.columns if isinstance(cell, Cell) else 1
            if across == 1 and (text := str(cell)):
                yield column, text
            column += across


def _longest_word(text: str) -> int:
    """Its letters, as far as they are kept together."""
    return min(max(map(len, text.split()), default=0), LONGEST_WORD)


def _letters(text: str) -> int:
    longest = max(text.split("\n"), key=len) if "\n" in text else text
    return len(longest) if longest.isascii() else sum(2 if letter > "\u2e80" else 1 for letter in longest)


def _usual(lengths: Sequence[int]) -> int:
    return sorted(lengths)[math.ceil(len(lengths) * USUAL) - 1] if lengths else 0


def _points(letters: int) -> float:
    return min(max(letters * LETTER + PADDING, NARROWEST), WIDEST)
