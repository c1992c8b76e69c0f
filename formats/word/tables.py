"""The tables of Word: rows with cells that go across columns and down over rows."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from formats.base.annotations import Annotation, AnnotationKind
from formats.embedded.xml import Element, attribute, child, local, whole_number
from formats.rendition.blocks import Block, Cell, Image, Note, Paragraph, texts_of
from formats.rendition.grid import table_of
from formats.word.markup import annotations_in, change_of, deleted_words
from formats.word.properties import is_on, value_of

MOST_SPANNED = 1_000  # columns
SHORT_HEAD = 60  # characters of a cell that may be a column's head
_FIGURE = re.compile(r"[\d.,%$€£()\s-]+$")
_AROUND = ("sdt", "sdtContent", "ins", "customXml", "moveTo")  # may stand around rows and cells

Content = Callable[[Element], Iterator[Block]]


def table_blocks(element: Element, content: Content) -> Iterator[Block]:
    """The table, and behind it the pictures and notes of its cells, whose blocks `content` reads.

    A table of one cell is a frame around paragraphs.
    """
    table = _Table(content=content)
    for row in _rows(element):
        deleted = child(child(row, "trPr"), "del")
        if deleted is None:
            table.add(row)
        else:
            table.annotate([change_of(AnnotationKind.DELETED, deleted, deleted_words(row))])
    rows = table.rows
    if any(cell.text for row in rows for cell in row):
        if len(rows) == len(rows[0]) == 1:
            yield Paragraph(text=rows[0][0].text)
            yield from table.annotations.get(0, ())
        else:
            heads = ((0, min(table.heads, len(rows) - 1) or _looks_headed(rows)),)
            yield table_of(rows, heads=heads, annotations=table.annotations)
    else:
        yield from (each for on_row in table.annotations.values() for each in on_row)
    yield from table.anchored


@dataclass(slots=True, kw_only=True)
class _Table:
    """A table while it is read. heads: how many of its first rows say that they are the heads of columns.
    anchored: pictures and notes of cells. annotations: by row. open: by column, the row and place of the cell
    that goes on below.
    """

    content: Content
    rows: list[list[Cell]] = field(default_factory=list)
    heads: int = 0
    anchored: list[Block] = field(default_factory=list)
    annotations: dict[int, list[Annotation]] = field(default_factory=dict)
    open: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, row: Element) -> None:
        properties = child(row, "trPr")
        column = min(max(0, whole_number(value_of(properties, "gridBefore"), 0)), MOST_SPANNED)
        cells = [Cell(text="", columns=column)] if column else []
        for each in _cells(row):
            column += self._add_cell(each, cells, column)
        if self.heads == len(self.rows) and is_on(child(properties, "tblHeader")):
            self.heads += 1
        self.rows.append(cells)

    def annotate(self, annotations: Iterable[Annotation | None], *, row: int | None = None) -> None:
        """On a row, else on the last one."""
        number = max(len(self.rows) - 1, 0) if row is None else row
        self.annotations.setdefault(number, []).extend(filter(None, annotations))

    def _add_cell(self, element: Element, cells: list[Cell], column: int) -> int:
        """To the cells of its row, unless it only goes on with the one above; gives how wide it is."""
        properties = child(element, "tcPr")
        columns = min(max(1, whole_number(value_of(properties, "gridSpan"), 1)), MOST_SPANNED)
        merged = child(properties, "vMerge")
        goes_on = merged is not None and (attribute(merged, "val") or "continue") == "continue"
        if goes_on and column in self.open:
            at, place = self.open[column]
            above = self.rows[at][place]
            rows = len(self.rows) - at + 1
            self.rows[at][place] = Cell(text=above.text, columns=above.columns, rows=rows)
            return columns
        deleted = child(properties, "cellDel")
        if deleted is not None:
            self.annotate(
                [change_of(AnnotationKind.DELETED, deleted, deleted_words(element))], row=len(self.rows)
            )
        blocks = list(self.content(element)) if deleted is None else []
        self.annotate(annotations_in(blocks), row=len(self.rows))
        self.anchored += [block for block in blocks if isinstance(block, Image | Note)]
        self.open.pop(column, None)
        if merged is not None and not goes_on:
            self.open[column] = (len(self.rows), len(cells))
        cells.append(Cell(text="\n".join(texts_of(blocks, notes=False)), columns=columns))
        return columns


def _looks_headed(rows: list[list[Cell]]) -> int:
    """1 where the first row names the columns: short words, no figure, none missing."""
    first = rows[0]
    named = all(0 < len(cell.text) <= SHORT_HEAD and not _FIGURE.match(cell.text) for cell in first)
    return int(len(rows) > 2 and len(first) > 1 and named)


def _rows(table: Element) -> Iterator[Element]:
    return _inside(table, "tr")


def _cells(row: Element) -> Iterator[Element]:
    return _inside(row, "tc")


def _inside(element: Element, name: str) -> Iterator[Element]:
    """Its parts of that name, also those in what may stand around them."""
    for each in element:
        if local(each) == name:
            yield each
        elif local(each) in _AROUND:
            yield from _inside(each, name)
