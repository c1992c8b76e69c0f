"""What documents are made of, whatever file they come from: blocks, in reading order. Pure.

All texts are clean (formats.base.characters.clean_text); a "\\n" in one is a line break.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from formats.base.annotations import Annotation


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """level: 1 is the outermost."""

    text: str
    level: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """code: set in a typewriter font, its spaces kept. indent: steps to the right."""

    text: str
    code: bool = False
    indent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ListItem:
    """label: as it is printed before the item, such as "4.2(b)". level: 0 is the outermost."""

    text: str
    label: str = "•"
    level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell that spans several columns or rows."""

    text: str
    columns: int = 1
    rows: int = 1

    def __str__(self) -> str:
        return self.text


Row = Sequence[str | Cell]  # most cells span nothing and are plain strings: a sheet has a million


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Its rows are equally wide, see grid.table_of. heads: which of them, from and to, name the columns of
    those below; each page repeats them. numbers: of the rows in their sheet, where rows have numbers.
    annotations: by the row that they are on, from 0.
    """

    rows: Sequence[Row]
    heads: tuple[tuple[int, int], ...] = ()
    numbers: Sequence[int] = ()
    annotations: Mapping[int, Sequence[Annotation]] = field(default_factory=dict)

    def heads_over(self, row: int) -> tuple[int, int]:
        """The heads, from and to, of what stands in that row; nothing for heads and what is above them."""
        start, end = max(((a, b) for a, b in self.heads if a <= row), default=(0, 0))
        return (start, end) if row >= end else (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """content: a PNG or JPEG file that Pillow wrote. across, down: in pixels. width: in points, None for its
    own.
    """

    content: bytes
    across: int
    down: int
    text: str = ""
    width: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something said apart: a footnote, notes of a slide, what a file has that is not shown."""

    text: str
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageBreak:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Begins a new page. text: what the pages from here on are called in the file, such as "Slide 7". note:
    what else is said of them in the margin. Neither is text of the document.
    """

    text: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Blocks at a place of a slide: from its left and top, in points. size: of the print."""

    x: float
    y: float
    width: float
    height: float
    blocks: tuple["Heading | Paragraph | ListItem | Table | Image | Note", ...]
    size: float = 18.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Slide:
    """A page of its own, of that size in points; its frames in reading order, and what stands below it."""

    width: float
    height: float
    frames: tuple[Frame, ...]
    below: tuple[Note, ...] = ()


# An annotation belongs to what is before it. It is no text of the document and is not drawn.
Block = Heading | Paragraph | ListItem | Table | Image | Note | PageBreak | Address | Slide | Annotation


def texts_of(blocks: Iterable[Block], *, notes: bool = True) -> Iterator[str]:
    """The texts of blocks that stand within another, such as the cell of a table; a row is one text."""
    for block in blocks:
        match block:
            case ListItem():
                yield f"{block.label} {block.text}"
            case Note() if not notes:
                pass
            case Heading() | Paragraph() | Note():
                yield block.text
            case Table():
                yield from (" ".join(filter(None, map(str, row))) for row in block.rows)
