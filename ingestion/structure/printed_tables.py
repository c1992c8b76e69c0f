"""Tables of a page whose file does not say where tables are: found by what is printed below and beside what.
Pure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from english.printed_values import DATE, YEAR
from ingestion.structure.columns import Column, columns_of, over
from ingestion.structure.segments import PrintedRow, Segment, printed_rows
from ingestion.structure.values import Cell, RowKind, Table, TableRow

MOST_COLUMNS = 80
FAR = 3.0  # heights of a line between two rows of one table
MOST_LABELS = 3  # lines without a figure in a row within a table
LONGEST_LABEL = 110  # characters of such a line
LONGEST_CELL = 60
LONGEST_CAPTION = 140
MOST_HEADS = 24  # lines above the first row
NEAR_HEAD = 2.5  # heights between two lines of heads
ALIGNED = 3.0  # points
FEWEST_PAIRS = 3  # rows of two cells of words that make a table

_PERIOD = re.compile(
    r"\b(?:weeks?|months?|quarters?|years?|period)s?\s+(?:ended|ending|to)\b|\bas (?:of|at)\b", re.I
)
_UNIT = re.compile(r"\([^()]*\b(?:in|unaudited|except)\b[^()]*\)(?:\s*\([^()]*\))*", re.I)
_PROSE_END = re.compile(r"[.?!;:]$")
_ITEM = re.compile(r"(?:[-•▪●◦*–—]|\(?(?:[A-Za-z]|[ivxlc]+|\d{1,2})[.)]|\d{1,2}(?:\.\d{1,2})*\.?)$")
_TITLE = re.compile(r"(?:Table|Figure|Exhibit|Chart)\s+[\dA-Z]{1,4}\b")
_TOTAL = re.compile(r"(?:sub)?total\b", re.I)


@dataclass(slots=True, kw_only=True)
class _Run:
    """Rows of a page, from and to, that are one table; heads: the lines above that name its columns."""

    first: int
    last: int
    heads: list[int] = field(default_factory=list)
    caption: str = ""
    unit: str = ""


def printed_tables(text: str, boxes: bytes, width: float, height: float) -> list[Table]:
    """text, boxes: as in PageText; without boxes tabs alone tell. width, height: of the page in points."""
    rows = printed_rows(text, boxes, width, height)
    tables: list[Table] = []
    free = 0  # the first line that is of no table yet
    for run in _runs(rows):
        inner = rows[run.first : run.last + 1]
        columns = columns_of([row.segments for row in [row for row in inner if _is_data(row)] or inner])
        if len(columns) < 2:
            continue
        _take_heads(run, rows, columns, free)
        tables.append(_table(text, run, rows, columns))
        free = run.last + 1
    return tables


# --- which lines are rows --------------------------------------------------------------------------------
def _is_date(segment: Segment) -> bool:
    return bool(DATE.fullmatch(segment.text) or YEAR.fullmatch(segment.text))


def _is_data(row: PrintedRow) -> bool:
    """A name and a figure, or figures whose name stands on the line before."""
    figures = [number for number, each in enumerate(row.segments) if each.is_figure and not _is_date(each)]
    if _ITEM.fullmatch(row.segments[0].text) and len(row.segments) == 2:
        return False
    if not figures or len(row.segments) < 2 or (figures == [0] and len(row.segments) < 3):
        return False
    return all(len(each.text) <= 2 * LONGEST_CELL or not number for number, each in enumerate(row.segments))


def _is_words(row: PrintedRow) -> bool:
    """Several short cells that are no prose."""
    others = row.segments[1:]
    return len(others) > 1 and all(
        len(each.text) <= LONGEST_CELL and not _PROSE_END.search(each.text) for each in others
    )


def _is_pair(row: PrintedRow) -> bool:
    first, *others = row.segments
    return (
        len(others) == 1
        and not _ITEM.fullmatch(first.text)
        and max(len(first.text), len(others[0].text)) <= LONGEST_CELL
        and not _PROSE_END.search(others[0].text)
    )


def _is_row(row: PrintedRow) -> bool:
    if len(row.segments) > MOST_COLUMNS:
        return False
    return _is_data(row) or _is_words(row) or _is_pair(row)


def _runs(rows: Sequence[PrintedRow]) -> list[_Run]:
    found: list[_Run] = []
    place = 0
    while place < len(rows):
        if not _is_row(rows[place]):
            place += 1
            continue
        last = _end_of_run(rows, place)
        for run in _tables_of(rows, place, last):
            found.append(run)
        place = last + 1
    return found


def _end_of_run(rows: Sequence[PrintedRow], first: int) -> int:
    last, labels = first, 0
    has_data = _is_data(rows[first])
    for place in range(first + 1, len(rows)):
        row, before = rows[place], rows[place - 1]
        em = min(row.height, before.height)
        top = (
            rows[last + 1].y0 - em / 2 if labels else before.y1 - em
        )  # a name of two lines has its figures beside
        bottom = max(each.y1 for each in rows[max(first, place - 3) : place])
        if row.y0 < top or row.y0 - bottom > FAR * em:
            break
        if _is_row(row):
            if has_data and (_names_columns(row) or (labels and not _is_data(row))):
                break
            has_data = has_data or _is_data(row)
            last, labels = place, 0
            continue
        labels += 1
        if labels > MOST_LABELS or not _may_be_label(row, rows[first]) or not (has_data or last == first):
            break
        if has_data and (_names_columns(row) or _begins_table(row.segments[0].text)):
            break
    return last


def _may_be_label(row: PrintedRow, first: PrintedRow) -> bool:
    segment = row.segments[0]
    return (
        len(row.segments) == 1
        and len(segment.text) <= LONGEST_LABEL
        and not segment.text.endswith((".", "?", "!", ";"))
        and segment.x0 < first.segments[-1].x0
    )


def _begins_table(said: str) -> bool:
    """Whether a line among rows is said before a table: its title, its unit, a sentence that leads to it."""
    return bool(_TITLE.match(said) or _UNIT.fullmatch(said) or said.endswith("follows:"))


def _names_columns(row: PrintedRow) -> bool:
    return all(_is_date(each) or _PERIOD.search(each.text) for each in row.segments)


def _tables_of(rows: Sequence[PrintedRow], first: int, last: int) -> list[_Run]:
    """The run, if it is a table: figures in two rows, or words in columns."""
    inner = [row for row in rows[first : last + 1] if _is_row(row)]
    data = [row for row in inner if _is_data(row)]
    if data:
        head = first and _may_be_head_line(rows[first - 1])
        return [_Run(first=first, last=last)] if len(inner) > 1 or head else []
    words = [row for row in inner if _is_words(row)]
    if len(words) > 1:
        return [_Run(first=first, last=last)]
    return [_Run(first=first, last=last)] if len(inner) >= FEWEST_PAIRS and _are_aligned(inner) else []


def _may_be_head_line(row: PrintedRow) -> bool:
    return _names_columns(row) or (len(row.segments) > 1 and not _is_data(row))


def _are_aligned(rows: Sequence[PrintedRow]) -> bool:
    """Whether the second cells of most rows begin below each other."""
    lefts = [row.segments[1].x0 for row in rows if len(row.segments) == 2]
    usual = median(lefts) if lefts else 0.0
    return sum(abs(left - usual) <= ALIGNED for left in lefts) >= max(FEWEST_PAIRS, 0.8 * len(rows))


# --- heads -----------------------------------------------------------------------------------------------
def _take_heads(run: _Run, rows: Sequence[PrintedRow], columns: Sequence[Column], free: int) -> None:
    """Find the lines that name the columns: the first of the run, and those above it."""
    has_data = any(_is_data(row) for row in rows[run.first : run.last + 1])
    while run.first < run.last and (
        (has_data and not _is_data(rows[run.first]) and len(rows[run.first].segments) > 1)
        or _names_columns(rows[run.first])
    ):
        run.heads.append(run.first)
        run.first += 1
    if not has_data and not run.heads and run.last > run.first:
        run.heads.append(run.first)
        run.first += 1
    top = rows[min([*run.heads, run.first])].y0
    bottom = rows[run.first].y0
    labels: list[int] = []  # lines between the heads and the first row
    for place in range(min([*run.heads, run.first]) - 1, max(free, run.first - MOST_HEADS) - 1, -1):
        row = rows[place]
        said = " ".join(each.text for each in row.segments)
        if row.y1 > bottom + row.height or top - row.y1 > NEAR_HEAD * row.height or _is_data(row):
            break
        if _is_over(row, columns):
            run.heads.append(place)
        elif len(row.segments) == 1 and not run.unit and _UNIT.fullmatch(said):
            run.unit = said
        elif not run.heads and len(labels) < MOST_LABELS and _may_be_label(row, rows[run.first]):
            labels.append(place)
        else:
            run.caption = _caption(row)
            break
        top = min(top, row.y0)
    run.heads.sort()
    if labels and (run.heads or rows[labels[0]].segments[0].text.endswith(":")):
        run.first = labels[-1] if run.heads else labels[0]
        labels = [] if run.heads else labels[1:]
    if labels:
        run.caption = _caption(rows[labels[0]])


def _caption(row: PrintedRow) -> str:
    """The line, if it may say what the table below it is."""
    said = row.segments[0].text
    is_title = len(row.segments) == 1 and len(said) <= LONGEST_CAPTION and not said.endswith((".", ";", ","))
    return said if is_title else ""


def _is_over(row: PrintedRow, columns: Sequence[Column]) -> bool:
    """Whether the line may name columns of values: it stands over them, and says no more than a name."""
    said = " ".join(each.text for each in row.segments)
    if any(len(each.text) > LONGEST_CELL for each in row.segments) or _PROSE_END.search(said):
        return False
    if len(row.segments) == 1 and _PERIOD.search(said) and len(said) <= LONGEST_CELL:
        return True
    values = row.segments if row.segments[0].middle > columns[1].x0 - row.height else row.segments[1:]
    left = columns[1].x0 - row.height
    return bool(values) and all(
        (each.x0 >= left - each.x1 + each.x0 and each.middle >= left and each.x0 > columns[0].x0 + row.height)
        for each in values
    )


def _head_cells(run: _Run, rows: Sequence[PrintedRow], columns: Sequence[Column]) -> list[TableRow]:
    made = []
    for place in run.heads:
        row = rows[place]
        alone = len(row.segments) == 1 and bool(_PERIOD.search(row.segments[0].text))
        cells = []
        for number, each in enumerate(row.segments):
            beside = [*row.segments[max(0, number - 1) : number], *row.segments[number + 1 : number + 2]]
            first, last = over(each, columns, beside)
            if alone and not first:
                first, last = 1, len(columns) - 1
            elif not number and len(row.segments) == len(columns) and len(columns) > 1:
                first = last = 0
            cells.append(Cell(start=each.start, end=each.end, column=first, last=last))
        made.append(TableRow(start=row.start, end=row.end, kind=RowKind.HEAD, cells=tuple(cells)))
    return [
        replace(row, cells=tuple(_to_the_left(cell, rows[place], run, rows, columns) for cell in row.cells))
        for place, row in zip(run.heads, made, strict=True)
    ]


def _to_the_left(
    cell: Cell, row: PrintedRow, run: _Run, rows: Sequence[PrintedRow], columns: Sequence[Column]
) -> Cell:
    """A period that is printed over the last of its columns stands over those left of it, too, which have
    heads of their own below it and none beside it.
    """
    segment = next(each for each in row.segments if each.start == cell.start)
    if not _is_part_of_period(segment) or abs(segment.x1 - columns[cell.last].x1) > ALIGNED:
        return cell
    others = [each for place in run.heads for each in rows[place].segments if each is not segment]
    beside = [each for each in others if each.y0 < segment.y1 and each.y1 > segment.y0]
    below = [each for each in others if each.y0 >= segment.y1 - segment.height / 2]
    first = cell.column
    while (
        first > 1
        and not any(columns[first - 1].overlap(each) > 0 for each in beside)
        and any(columns[first - 1].overlap(each) > 0 for each in below)
    ):
        first -= 1
    return replace(cell, column=first)


def _is_part_of_period(segment: Segment) -> bool:
    """“Three Months Ended”, or “March 31,” without its year."""
    return bool(_PERIOD.search(segment.text) or (_is_date(segment) and segment.text.endswith(",")))


def _heads(
    text: str, run: _Run, rows: Sequence[PrintedRow], made: Sequence[TableRow], count: int
) -> tuple[str, ...]:
    """The name of each column, from the top down."""
    said: list[list[tuple[float, str]]] = [[] for _ in range(count)]
    for place, row in zip(run.heads, made, strict=True):
        for cell, segment in zip(row.cells, rows[place].segments, strict=True):
            for column in range(cell.column, cell.last + 1):
                said[column].append((segment.y0, segment.text))
    return tuple(" ".join(dict.fromkeys(words for _, words in sorted(each))) for each in said)


# --- the table -------------------------------------------------------------------------------------------
def _table(text: str, run: _Run, rows: Sequence[PrintedRow], columns: Sequence[Column]) -> Table:
    heads = _head_cells(run, rows, columns)
    made: list[TableRow] = []
    group, waiting = "", list[PrintedRow]()
    for place in range(run.first, run.last + 1):
        row = rows[place]
        if len(row.segments) == 1 and not _is_data(row):
            if made and not waiting and _wraps(made[-1], row, text):
                made[-1] = _longer(made[-1], row)
            else:
                waiting.append(row)
            continue
        named = columns[0].is_name(row.segments[0])
        label: list[PrintedRow] = []
        while waiting and not waiting[-1].segments[0].text.endswith(":"):
            below = label[0] if label else row
            if (named or label) and not _goes_on(below.segments[0].text):
                break
            label.insert(0, waiting.pop())
        for each in waiting:
            group = each.segments[0].text
            made.append(_group_row(each))
        waiting = []
        name = row.segments[0].text if named else " ".join(each.segments[0].text for each in label)
        made.append(_data_row(row, label, columns, "" if _TOTAL.match(name) and not group else group))
        if _TOTAL.match(name):
            group = ""
    return Table(
        rows=(*heads, *made),
        heads=_heads(text, run, rows, heads, len(columns)),
        caption=run.caption,
        unit=run.unit,
    )


def _wraps(row: TableRow, line: PrintedRow, text: str) -> bool:
    """Whether the line goes on with the name of the row above it."""
    said = line.segments[0].text
    named = any(cell.column == 0 for cell in row.cells)
    return row.kind == RowKind.DATA and named and _goes_on(said) and not said.endswith(":")


def _goes_on(said: str) -> bool:
    """Whether the words go on with what stands on the line above."""
    return said[0].islower() or said[0] in "(&"


def _longer(row: TableRow, line: PrintedRow) -> TableRow:
    cell = Cell(start=line.start, end=line.end, column=0, last=0)
    return TableRow(start=row.start, end=line.end, kind=row.kind, cells=(*row.cells, cell), group=row.group)


def _group_row(row: PrintedRow) -> TableRow:
    cell = Cell(start=row.start, end=row.end, column=0, last=0)
    return TableRow(start=row.start, end=row.end, kind=RowKind.GROUP, cells=(cell,))


def _data_row(
    row: PrintedRow, label: Sequence[PrintedRow], columns: Sequence[Column], group: str
) -> TableRow:
    cells = [Cell(start=each.start, end=each.end, column=0, last=0) for each in label]
    taken = -1
    for number, each in enumerate(row.segments):
        column = _column_of(each, columns, taken)
        if not number and columns[0].is_name(each):
            column = 0
        cells.append(Cell(start=each.start, end=each.end, column=column, last=column))
        taken = column
    start = label[0].start if label else row.start
    return TableRow(start=start, end=row.end, kind=RowKind.DATA, cells=tuple(cells), group=group)


def _column_of(segment: Segment, columns: Sequence[Column], taken: int) -> int:
    """The column that it overlaps most, right of those that are taken."""
    rest = range(min(max(taken + 1, 0), len(columns) - 1), len(columns))
    return max(rest, key=lambda column: columns[column].overlap(segment))
