"""The text that a document's blocks say, line by line, and where in the file each line stands. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
    none. row: its number in its sheet.
    """

    text: str
    apart: bool = True
    heads: str = ""
    address: str = ""
    row: int | None = None


def lines_of(blocks: Iterable[Block]) -> Iterator[Line]:
    """Rows of a table are lines whose cells are parted by tabs."""
    path: list[Heading] = []
    place = ""
    before: Block | None = None
    for block in blocks:
        if isinstance(block, Address):
            place = block.text
            continue
        if isinstance(block, Heading):
            path = [*(outer for outer in path if outer.level < block.level), block]
        address = place or PATH_JOINER.join(_one_line(each.text) for each in path)[:LONGEST_ADDRESS]
        yield from _lines(block, before, address)
        before = block


def row_text(row: Row) -> str:
    return "\t".join(_one_line(str(cell)) for cell in row).rstrip()


def _lines(block: Block | Frame, before: Block | None, address: str) -> Iterator[Line]:
    match block:
        case Heading() | Paragraph() | Image():
            if block.text:
                yield Line(text=block.text, address=address)
        case ListItem() | Note():
            text = f"{block.label} {block.text}".strip()
            yield Line(text=text, apart=type(before) is not type(block), address=address)
        case Table():
            numbers = block.numbers
            over, heads = (0, 0), ""
            for number, row in enumerate(block.rows):
                if over != (over := block.heads_over(number)):
                    heads = "\n".join(map(row_text, block.rows[over[0] : over[1]]))
                yield Line(
                    text=row_text(row),
                    apart=number == 0 or (bool(numbers) and numbers[number] > numbers[number - 1] + 1),
                    heads=heads,
                    address=address,
                    row=numbers[number] if numbers else None,
                )
        case Slide():
            for frame in block.frames:
                inner: Block | None = None
                for part in frame.blocks:
                    yield from _lines(part, inner, address)
                    inner = part
            above: Block | None = None
            for note in block.below:
                yield from _lines(note, above, address)
                above = note
        case Address() | PageBreak():
            pass


def _one_line(text: str) -> str:
    return " ".join(text.split())
