"""What a file says of the lines of a page beside their words: headings, tables, print. Kept as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """An entry of the file's outline that leads to the page. level: from 1. top: 0 to 1 of the page's height,
    None where it leads to the page alone.
    """

    level: int
    title: str
    top: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedLine:
    """start: in the page's text. size: of the font, in points. bold: from the first letter to the last.
    level: of the heading that the file's tags say it is, 0 where they do not.
    """

    start: int
    size: float
    bold: bool = False
    level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLine:
    """A heading or a row of a table, where the file says which lines are. start, end: in the page's text.
    level: of a heading, else 0. table: its number in the file, from 1, else 0. is_head: whether the row names
    the columns; it may be repeated on each page. row: its number in its sheet, from 1, else 0.
    """

    start: int
    end: int
    level: int = 0
    table: int = 0
    is_head: bool = False
    row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledIn:
    """The value of a form's field. start, end: in the page's text. name: of the field, as the file has it."""

    start: int
    end: int
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """block_lines: None where the file does not say which lines are headings and rows. rows: then those of
    tables that reading has found by what is printed, a tab after each cell. filled_in: in order.
    """

    bookmarks: tuple[Bookmark, ...] = ()
    print: tuple[PrintedLine, ...] = ()
    block_lines: tuple[BlockLine, ...] | None = None
    rows: tuple[BlockLine, ...] = ()
    filled_in: tuple[FilledIn, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "bookmarks": [astuple(each) for each in self.bookmarks],
            "print": [astuple(each) for each in self.print],
            "block_lines": None if self.block_lines is None else [astuple(each) for each in self.block_lines],
            "rows": [astuple(each) for each in self.rows],
            "filled_in": [astuple(each) for each in self.filled_in],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Layout":
        blocks = value.get("block_lines")
        return cls(
            bookmarks=tuple(
                Bookmark(level=level, title=title, top=top)
                for level, title, top in value.get("bookmarks", ())
            ),
            print=tuple(
                PrintedLine(start=start, size=size, bold=bold, level=level)
                for start, size, bold, level in value.get("print", ())
            ),
            block_lines=None if blocks is None else _block_lines(blocks),
            rows=_block_lines(value.get("rows", ())),
            filled_in=tuple(
                FilledIn(start=start, end=end, name=name) for start, end, name in value.get("filled_in", ())
            ),
        )


def _block_lines(lines: Iterable[Sequence[Any]]) -> tuple[BlockLine, ...]:
    return tuple(
        BlockLine(start=start, end=end, level=level, table=table, is_head=is_head, row=row)
        for start, end, level, table, is_head, row in lines
    )


NOTHING_SAID = Layout()
