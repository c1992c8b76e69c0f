"""The text that a document's blocks say, line by line, and where in the file each line stands. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count

from formats.base.annotations import Annotation
from formats.rendition.blocks import (
    Address,
    Block,
    Frame,
    Heading,
    Image,
    ListItem,
    Note,
    PageBreak,
    Paragraph,
    Row,
    Slide,
    Table,
)

PATH_JOINER = " › "
LONGEST_ADDRESS = 200  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """text: one line, or several of one block. apart: an empty line stands before it. heads: of the table
    that this row is of, which each page of it repeats. address: its place in the file, empty where it has
    none. row: its number in its sheet. annotations: on the line.
    """

    text: str
    apart: bool = True
    heads: str = ""
    address: str = ""
    row: int | None = None
    level: int = 0
    table: int = 0
    is_head: bool = False
    annotations: tuple[Annotation, ...] = ()


def lines_of(blocks: Iterable[Block]) -> Iterator[Line]:
    """Rows of a table are lines whose cells are parted by tabs. An annotation is on the line before it, or on
    the first one.
    """
    held: Line | None = None
    waiting: list[Annotation] = []
    for each in _lines_and_annotations(blocks):
        if isinstance(each, Annotation):
            waiting.append(each)
            continue
        if held:
            yield _annotated(held, waiting)
            waiting = []
        held = each
    if held:
        yield _annotated(held, waiting)


def _annotated(line: Line, annotations: Iterable[Annotation]) -> Line:
    return replace(line, annotations=(*line.annotations, *annotations)) if annotations else line


def _lines_and_annotations(blocks: Iterable[Block]) -> Iterator[Line | Annotation]:
    path: list[Heading] = []
    place = ""
    before: Block | None = None
    tables = count(1)
    for block in blocks:
        if isinstance(block, Address):
            place = block.text
            continue
        if isinstance(block, Annotation):
            yield block
            continue
        if isinstance(block, Heading):
            path = [*(outer for outer in path if outer.level < block.level), block]
        address = place or PATH_JOINER.join(_one_line(each.text) for each in path)[:LONGEST_ADDRESS]
        yield from _lines(block, before, address, tables)
        before = block


def rows_text(rows: Iterable[Row]) -> Iterator[str]:
    """Of each row; a tab for each column, also where a cell spans several or one above goes on."""
    covered: dict[int, int] = {}  # column: rows that a cell above goes on for
    for row in rows:
        if not covered and all(isinstance(cell, str) for cell in row):
            yield "\t".join(_one_line(str(cell)) for cell in row).rstrip()
            continue
        cells: dict[int, str] = {}
        column, begun = 0, dict[int, int]()
        for each in row:
            while column in covered:
                column += 1
            cells[column] = _one_line(str(each))
            columns, rows_down = (1, 1) if isinstance(each, str) else (each.columns, each.rows)
            if rows_down > 1:
                begun |= dict.fromkeys(range(column, column + columns), rows_down)
            column += columns
        yield "\t".join(cells.get(place, "") for place in range(max(cells, default=-1) + 1)).rstrip()
        covered = {place: left - 1 for place, left in (covered | begun).items() if left > 1}


def _lines(block: Block | Frame, before: Block | None, address: str, tables: Iterator[int]) -> Iterator[Line]:
    """tables: gives the number of the next table."""
    match block:
        case Heading() | Paragraph() | Image():
            if block.text:
                yield Line(
                    text=block.text, address=address, level=block.level if isinstance(block, Heading) else 0
                )
        case ListItem() | Note():
            text = f"{block.label} {block.text}".strip()
            yield Line(text=text, apart=type(before) is not type(block), address=address)
        case Table():
            numbers, table = block.numbers, next(tables)
            head_rows = {row for start, end in block.heads for row in range(start, end)}
            over, heads = (0, 0), ""
            for number, text in enumerate(rows_text(block.rows)):
                if over != (over := block.heads_over(number)):
                    heads = "\n".join(rows_text(block.rows[over[0] : over[1]]))
                yield Line(
                    text=text,
                    apart=number == 0 or (bool(numbers) and numbers[number] > numbers[number - 1] + 1),
                    heads=heads,
                    address=address,
                    row=numbers[number] if numbers else None,
                    table=table,
                    is_head=number in head_rows,
                    annotations=tuple(block.annotations.get(number, ())),
                )
        case Slide():
            for frame in block.frames:
                inner: Block | None = None
                for part in frame.blocks:
                    yield from _lines(part, inner, address, tables)
                    inner = part
            above: Block | None = None
            for note in block.below:
                yield from _lines(note, above, address, tables)
                above = note
        case Address() | PageBreak() | Annotation():
            pass


def _one_line(text: str) -> str:
    return " ".join(text.split())
