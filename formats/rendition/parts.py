"""Blocks parted into runs that are typeset at once, each of bounded size and on pages of its width. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from formats.base.annotations import Annotation
from formats.base.errors import too_large
from formats.rendition.blocks import (
    Address,
    Block,
    Heading,
    Image,
    ListItem,
    Note,
    Paragraph,
    Row,
    Slide,
    Table,
)
from formats.rendition.columns import bands, widths
from formats.rendition.grid import has_long_cell, table_of

PAGE_WIDTH, PAGE_HEIGHT = 595.0, 842.0  # A4, in points
MARGIN = 56.0  # on each side; in it stand what pages are called, and the numbers of rows
LONGEST_PARAGRAPH = 20_000  # letters; a longer one is told as several: Typst sets a paragraph at once
LONGEST_WORD = 1_000_000  # letters; no text of people has so many without a space
LETTERS_AT_ONCE = 150_000  # some thirty pages: Typst needs a megabyte a page until it has finished
ROWS_AT_ONCE = 1_500
CELLS_AT_ONCE = 15_000
WEIGHT_OF_PICTURE = 10_000  # letters
NOWHERE = Address(text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What is typeset at once, on pages so wide. address: of its pages."""

    blocks: tuple[Block, ...]
    width: float = PAGE_WIDTH
    address: Address = NOWHERE


def readable(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks as they can be set: of tables cells with much text, one below the other, and bands of
    columns; no paragraph without an end.
    """
    for block in blocks:
        for part in _without_long_cells(block) if isinstance(block, Table) else (block,):
            match part:
                case Table():
                    yield from bands(part)
                case Paragraph() if len(part.text) > LONGEST_PARAGRAPH:
                    yield from _shorter(part)
                case _:
                    yield part


def _shorter(paragraph: Paragraph) -> Iterator[Paragraph]:
    text = paragraph.text
    if len(text) > LONGEST_WORD and " " not in text[:LONGEST_WORD]:
        raise too_large("This file has {n} letters without a space.", n=len(text))
    start = 0
    while len(text) - start > LONGEST_PARAGRAPH:
        end = text.rfind(" ", start + 1, start + LONGEST_PARAGRAPH)
        end = end if end > 0 else start + LONGEST_PARAGRAPH
        yield replace(paragraph, text=text[start:end])
        start = end + text.startswith(" ", end)
    yield replace(paragraph, text=text[start:])


def parts_of(blocks: Iterable[Block]) -> Iterator[Part]:
    """blocks: as `readable` gives them. Joined, the blocks of the parts are these; heads of a table that is
    cut are repeated.
    """
    held: list[Block] = []
    weight, address = 0, NOWHERE
    for block in blocks:
        if isinstance(block, Table):
            width = max(PAGE_WIDTH, sum(widths(block, PAGE_WIDTH - 2 * MARGIN)) + 2 * MARGIN)
            if width > PAGE_WIDTH + 1 or len(block.rows) > ROWS_AT_ONCE:
                named = bool(held) and _introduces(held[-1]) and weight < LETTERS_AT_ONCE
                before, held = (held[:-1], held[-1:]) if named else (held, [])
                if before:
                    yield Part(blocks=tuple(before), address=address)
                for piece in _pieces(block):
                    yield Part(blocks=(*held, piece), width=width, address=address)
                    held = []
                weight = 0
                continue
        if held and (isinstance(block, Address) or weight + _weight(block) > LETTERS_AT_ONCE):
            yield Part(blocks=tuple(held), address=address)
            held, weight = [], 0
        if isinstance(block, Address):
            address = block
        held.append(block)
        weight += _weight(block)
    if held:
        yield Part(blocks=tuple(held), address=address)


def _introduces(block: Block) -> bool:
    """Whether it stays with the table behind it."""
    return isinstance(block, Heading | Address | Note)


def _weight(block: Block) -> int:
    match block:
        case Heading() | Paragraph() | ListItem() | Note():
            return len(block.text) + 20
        case Table():
            return sum(len(str(cell)) + 10 for row in block.rows for cell in row)
        case Image() | Slide():
            return WEIGHT_OF_PICTURE
    return 0


def _pieces(table: Table) -> Iterator[Table]:
    """Of rows that are typeset at once, each below the heads that it goes on with."""
    columns = max(len(row) for row in table.rows)
    most = max(1, min(ROWS_AT_ONCE, CELLS_AT_ONCE // max(columns, 1)))
    for start in range(0, len(table.rows), most):
        end = min(start + most, len(table.rows))
        first, last = table.heads_over(start) if start else (0, 0)
        heads = tuple(
            (max(a, start) - start + last - first, min(b, end) - start + last - first)
            for a, b in table.heads
            if start <= a < end
        )
        repeated = ((0, last - first),) if last > first else ()
        yield table_of(
            (*table.rows[first:last], *table.rows[start:end]),
            heads=repeated + heads,
            numbers=(*table.numbers[first:last], *table.numbers[start:end]),
        )


def _without_long_cells(table: Table) -> Iterator[Block]:
    """Rows with a cell that would fill much of a page are told as paragraphs, cell by cell."""
    if not any(map(has_long_cell, table.rows)):
        yield table
        return
    kept: list[Row] = []
    said: dict[int, Sequence[Annotation]] = {}
    for number, row in enumerate(table.rows):
        on_row = table.annotations.get(number, ())
        if not has_long_cell(row):
            said[len(kept)] = on_row
            kept.append(row)
            continue
        if kept:
            yield table_of(kept, annotations=said)
            kept, said = [], {}
        for cell in row:
            if text := str(cell):
                yield Paragraph(text=text)
        yield from on_row
    if kept:
        yield table_of(kept, annotations=said)
