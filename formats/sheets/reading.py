"""From a workbook to blocks: every sheet on pages of its own, its rows with their numbers."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import python_calamine
from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from formats.base.annotations import Annotation
from formats.base.characters import clean_lines, one_line
from formats.base.errors import ExtractionError, gettext_noop, too_large
from formats.embedded.parts import Package
from formats.embedded.recognition import ZIP, is_encrypted_package, is_encrypted_workbook
from formats.rendition.blocks import Address, Block, Cell, Note
from formats.rendition.grid import check_size, table_of
from formats.rendition.heads import heads_of
from formats.sheets.comments import comments_of
from formats.sheets.hidden import hidden_of

LAST_ROW, LAST_COLUMN = 1_048_576, 16_384  # of Excel; the library asks for the memory of what a file claims
# Cells: with a merged range so large, the library keeps each cell between the first and the last.
LARGEST_MERGED, MOST_KEPT = 1_000_000, 20_000_000
MOST_MERGED = 5_000  # of a sheet; with more, merged cells are told where they begin
LONGEST_CELL = 32_767  # characters, as in Excel
UNREADABLE = (python_calamine.CalamineError, python_calamine.ZipError, python_calamine.XmlError)

Merged = dict[tuple[int, int], tuple[int, int]]  # by row and column from 0: how many rows and columns
Corners = tuple[tuple[int, int], tuple[int, int]]  # of a range: its first and last row and column, from 0


def blocks_of(path: Path) -> Iterator[Block]:
    """Raises ExtractionError."""
    with path.open("rb") as file:
        is_archive = file.read(len(ZIP)) == ZIP
    package = Package(path) if is_archive else None  # refuses bombs
    try:
        book = CalamineWorkbook.from_path(str(path))
    except python_calamine.PasswordError:
        raise _protected() from None
    except (*UNREADABLE, OSError) as error:
        content = path.read_bytes()
        said = "password" in str(error).lower()
        is_protected = said or is_encrypted_package(content) or is_encrypted_workbook(content)
        raise _protected() if is_protected else ExtractionError("corrupt") from None
    comments = comments_of(package) if package else {}
    hidden_parts = hidden_of(package) if package else {}
    del package  # it keeps what it has parsed
    rows = cells = 0
    for sheet in book.sheets_metadata:
        if sheet.typ != SheetTypeEnum.WorkSheet:
            continue
        table = _grid(book, sheet.name)
        rows += len(table.rows)
        cells += sum(len(row) for _, row in table.rows)
        check_size(rows, cells)
        hidden = "" if sheet.visible == SheetVisibleEnum.Visible else "Hidden in the file"
        lost = f"{table.unvalued:,} formulas have no stored value" if table.unvalued else ""
        on_sheet = comments.get(sheet.name, [])
        if table.rows or on_sheet:
            yield Address(
                text=f"Sheet “{one_line(sheet.name)}”",
                note=". ".join(filter(None, (hidden, hidden_parts.get(sheet.name), lost))),
            )
        if table.rows:
            yield from _tables(table, on_sheet)
        elif on_sheet:
            yield Note(text="This sheet is empty but for comments.")
            yield from (annotation for _, annotation in on_sheet)


class _Grid:
    """rows: with their numbers from 0, empty ones left out. unvalued: formulas without a stored value."""

    def __init__(self, rows: list[tuple[int, list[str]]], merged: Merged, unvalued: int) -> None:
        self.rows, self.merged, self.unvalued = rows, merged, unvalued


def _check_bounds(book: CalamineWorkbook, name: str) -> None:
    """Raise ExtractionError for a sheet whose cells lie beyond what one can have, or fill the memory."""
    try:
        rows, columns = book.get_sheet_bounds(name)
    except (python_calamine.CalamineError, ValueError, TypeError, NotImplementedError):
        return
    if rows > LAST_ROW or columns > LAST_COLUMN:
        raise ExtractionError("corrupt")
    if rows * columns > MOST_KEPT and any(size > LARGEST_MERGED for size in map(_size, _ranges(book, name))):
        raise too_large(
            "The sheet “{name}” has more than {n} cells merged into one.",
            name=one_line(name),
            n=LARGEST_MERGED,
            hint=gettext_noop("Unmerge them in Excel, and add the saved file."),
        )


def _grid(book: CalamineWorkbook, name: str) -> _Grid:
    _check_bounds(book, name)
    try:
        try:
            grid = book.get_sheet_grid_streaming(name, max_empty_run=1)[0]
        except (python_calamine.CalamineError, ValueError, TypeError, NotImplementedError):
            grid = book.get_sheet_grid(name, 0, 0)
        if not grid.size:
            return _Grid([], {}, 0)
        grid.apply_formatting_rust()
        values, numbers = grid["value"], grid.row_coords
        unvalued = grid.uncached_formula_count or 0
        columns = {int(column): place for place, column in enumerate(grid.col_coords)}
    except UNREADABLE:
        raise ExtractionError("corrupt") from None
    rows = []
    for number, row in zip(numbers.tolist(), values, strict=True):
        cells = [_shown(value) for value in row.tolist()]
        if any(cells):
            rows.append((int(number), cells))
    return _Grid(rows, _merged(book, name, columns), unvalued)


def _ranges(book: CalamineWorkbook, name: str) -> list[Corners]:
    """The merged ones of a sheet."""
    try:
        return list(map(_corners, book.get_sheet_merged_ranges(name) or []))
    except (python_calamine.CalamineError, ValueError, TypeError, AttributeError):
        return []


def _size(corners: Corners) -> int:
    (top, left), (bottom, right) = corners
    return (bottom - top + 1) * (right - left + 1)


def _merged(book: CalamineWorkbook, name: str, columns: dict[int, int]) -> Merged:
    ranges = _ranges(book, name)
    if len(ranges) > MOST_MERGED:
        return {}
    merged: Merged = {}
    for (top, left), (bottom, right) in ranges:
        if left in columns:
            across = sum(column in columns for column in range(left, min(right, left + 1000) + 1))
            merged[top, columns[left]] = (bottom - top + 1, across)
    return merged


def _corners(found: Any) -> Corners:
    """Of a range however the library writes it: ((r1, c1), (r2, c2)) or (r1, c1, r2, c2)."""
    if len(found) == 2:
        return found[0], found[1]
    top, left, bottom, right = found
    return (top, left), (bottom, right)


def _tables(grid: _Grid, comments: Iterable[tuple[int, Annotation]]) -> Iterator[Block]:
    """comments: with the rows of their cells; those on an empty row are on the one above it."""
    covered: set[tuple[int, int]] = set()
    numbers = [number for number, _ in grid.rows]
    merged = {
        (top, column): (bisect_left(numbers, top + rows) - bisect_left(numbers, top), columns)
        for (top, column), (rows, columns) in grid.merged.items()
    }
    said: dict[int, list[Annotation]] = {}
    for row, annotation in comments:
        said.setdefault(max(bisect_right(numbers, row) - 1, 0), []).append(annotation)
    yield table_of(
        [
            list(_cells(place, cells, number, merged, covered))
            for place, (number, cells) in enumerate(grid.rows)
        ],
        heads=heads_of([cells for _, cells in grid.rows], numbers),
        numbers=[number + 1 for number in numbers],
        annotations=said,
    )


def _cells(
    place: int, cells: Sequence[str], number: int, merged: Merged, covered: set[tuple[int, int]]
) -> Iterator[str | Cell]:
    """place: of the row among those that are kept, in which merged and covered cells are counted."""
    for column, text in enumerate(cells):
        if (place, column) in covered:
            continue
        rows, columns = merged.get((number, column), (1, 1)) if merged else (1, 1)
        if rows * columns == 1:
            yield text
            continue
        rows = min(rows, MOST_MERGED)
        covered |= {(place + down, column + across) for down in range(rows) for across in range(columns)}
        yield Cell(text=text, columns=columns, rows=rows)


def _shown(value: object) -> str:
    text = "" if value is None else str(value)
    return clean_lines(text[:LONGEST_CELL], gaps=False) if text else ""


def _protected() -> ExtractionError:
    return ExtractionError(
        "encrypted",
        gettext_noop("This file is password protected, so its text could not be read."),
        gettext_noop(
            "Open it in Excel, remove the password under File, Info, Protect Workbook, and add the saved "
            "copy."
        ),
    )
