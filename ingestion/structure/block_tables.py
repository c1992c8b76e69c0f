"""Tables of a page whose file says which lines are rows: a tab ends each cell. Pure."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from english.printed_values import MEASURE, YEAR
from formats.base.layout import BlockLine
from ingestion.structure.values import Cell, RowKind, Table, TableRow

LONGEST_CAPTION = 140
MOST_HEADS = 4  # rows


def block_tables(text: str, blocks: Sequence[BlockLine], *, guesses_heads: bool = True) -> list[Table]:
    """The parts of tables on the page. guesses_heads: by figures below them, where the blocks name none."""
    rows = [each for each in blocks if each.table and text[each.start : each.end].strip()]
    return [
        table
        for number, part in groupby(rows, key=lambda row: row.table)
        for table in _tables(text, list(part), number, guesses_heads)
    ]


def _tables(text: str, lines: Sequence[BlockLine], number: int, guesses_heads: bool) -> Iterator[Table]:
    """A sheet may hold several tables, one below the other, each with heads of its own."""
    width = max(text.count("\t", line.start, line.end) for line in lines) + 1
    cells = [list(_cells(text, line)) for line in lines]
    if not any(line.is_head for line in lines):
        heads = _guessed_heads(text, cells) if guesses_heads else [False] * len(cells)
        yield _table(text, lines, cells, heads, number, width)
        return
    starts = [*_starts(text, lines, cells), len(lines)]
    for first, last in pairwise(starts):
        is_head = [line.is_head for line in lines[first:last]]
        yield _table(text, lines[first:last], cells[first:last], is_head, number, width)


def _starts(text: str, lines: Sequence[BlockLine], cells: Sequence[Sequence[Cell]]) -> Iterator[int]:
    """Where a table begins: at the first row, at heads behind rows, and behind an empty row where heads
    follow, or where most of what follows stands in columns that have no head.
    """
    named: set[int] = set()
    has_rows = False
    for place, (line, row) in enumerate(zip(lines, cells, strict=True)):
        is_new = line.is_head and len(row) > 1 and not lines[place - 1].is_head
        if not place or (has_rows and (is_new or _is_other(text, lines, cells, named, place))):
            yield place
            named, has_rows = set(), False
        if line.is_head:
            named |= {cell.column for cell in row}
        else:
            has_rows |= len(row) > 1


def _is_other(
    text: str, lines: Sequence[BlockLine], cells: Sequence[Sequence[Cell]], named: set[int], place: int
) -> bool:
    """named: the columns that have a head so far."""
    if not named or text.count("\n", lines[place - 1].end, lines[place].start) < 2:
        return False
    wide = next((n for n in range(place, len(lines)) if len(cells[n]) > 1), place)
    filled = {cell.column for cell in cells[wide]} - {0}
    return lines[wide].is_head or len(filled - named) > len(filled) / 2


def _table(
    text: str,
    lines: Sequence[BlockLine],
    cells: Sequence[Sequence[Cell]],
    is_head: Sequence[bool],
    number: int,
    width: int,
) -> Table:
    heads = [row for row, head in zip(cells, is_head, strict=True) if head]
    spanned = [
        [_spanning(cell, row, heads[place + 1 :], width) for cell in row] for place, row in enumerate(heads)
    ]
    titles = _titles(cells, is_head)
    made = iter(spanned)
    rows = tuple(
        TableRow(
            start=line.start,
            end=line.end,
            kind=RowKind.HEAD if head else RowKind.GROUP if place < titles else RowKind.DATA,
            cells=tuple(next(made) if head else row),
        )
        for place, (line, row, head) in enumerate(zip(lines, cells, is_head, strict=True))
    )
    first = rows[titles] if titles else rows[0]  # a title is said above the table, though in its cells
    return Table(
        rows=rows, heads=_names(text, spanned, width), caption=_caption(text, first.start), number=number
    )


def _titles(cells: Sequence[Sequence[Cell]], is_head: Sequence[bool]) -> int:
    """How many of the first rows are above the heads and have one cell only: they name the table."""
    heads = is_head.index(True) if True in is_head else 0
    return next((place for place in range(heads) if len(cells[place]) > 1), heads)


def _guessed_heads(text: str, rows: Sequence[Sequence[Cell]]) -> list[bool]:
    """In a file that marks no heads: the rows of words or years above the first row with other figures."""
    first = next((place for place, row in enumerate(rows) if _has_figures(text, row)), 0)
    return [place < first <= MOST_HEADS for place in range(len(rows))]


def _has_figures(text: str, row: Sequence[Cell]) -> bool:
    said = [text[cell.start : cell.end].strip() for cell in row if cell.column]
    return any(MEASURE.fullmatch(words) and not YEAR.fullmatch(words) for words in said)


def _cells(text: str, line: BlockLine) -> Iterator[Cell]:
    """Those with words."""
    start = line.start
    for column, words in enumerate(text[line.start : line.end].split("\t")):
        if words.strip():
            left = len(words) - len(words.lstrip())
            yield Cell(start=start + left, end=start + len(words.rstrip()), column=column, last=column)
        start += len(words) + 1


def _spanning(cell: Cell, row: Sequence[Cell], below: Sequence[Sequence[Cell]], width: int) -> Cell:
    """A head stands over the empty cells right of it that have heads of their own below."""
    taken = {other.column for other in row}
    named = {other.column for each in below for other in each}
    last = cell.column
    while cell.column and last + 1 < width and last + 1 not in taken and last + 1 in named:
        last += 1
    return Cell(start=cell.start, end=cell.end, column=cell.column, last=last)


def _names(text: str, heads: Sequence[Sequence[Cell]], width: int) -> tuple[str, ...]:
    said: list[list[str]] = [[] for _ in range(width)]
    for row in heads:
        for cell in row:
            for column in range(cell.column, cell.last + 1):
                said[column].append(" ".join(text[cell.start : cell.end].split()))
    return tuple(" ".join(dict.fromkeys(each)) for each in said)


def _caption(text: str, start: int) -> str:
    """The line above, if it may say what the table is."""
    above = text[:start].rstrip().rpartition("\n")[2].strip()
    return above if 0 < len(above) <= LONGEST_CAPTION and "\t" not in above and above[-1] not in ".;," else ""
