"""The rows of tables written as Markdown, and where they stand in the text that they were taken from."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from text.tables.table_lines import cell

HEADS_JOINER = " | "
_RULE = re.compile(r"\|(?: --- \|)+")
_GROUP = re.compile(r"\*\*(.+)\*\*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRow:
    """text[start:end]. heads: the names of its columns but the first, “2023 | 2022”, or nothing. first: the
    name of the first column, where it has one. cells: as the text has them, up to the last with words.

    group: what names the rows that it is among.
    """

    start: int
    end: int
    heads: str
    first: str
    group: str
    cells: tuple[str, ...]


def placed_rows(text: str, markdown: str) -> list[PlacedRow]:
    """The rows in the order of the text; one that does not stand there as its cells follow is left out."""
    tokens = list(re.finditer(r"\S+", text))
    said = [_plain(token[0]) for token in tokens]
    placed, position = [], 0
    for cells, heads, group in _rows(markdown):
        words = _plain(" ".join(cells)).split()
        found = _found(words, said, position)
        if found is None:
            continue
        start, position = tokens[found].start(), found + len(words)
        end = tokens[position - 1].end()
        placed.append(
            PlacedRow(
                start=start,
                end=end,
                heads=HEADS_JOINER.join(heads[1:]) if any(heads[1:]) else "",
                first=heads[0],
                group=group,
                cells=_as_written(text[start:end], cells),
            )
        )
    return placed


def _plain(words: str) -> str:
    """Bars, which Markdown can't have in a cell, are written as strokes there."""
    return words.replace("|", "/")


def _found(words: Sequence[str], said: Sequence[str], position: int) -> int | None:
    """Where the words follow each other, not before that position."""
    while words:
        try:
            position = said.index(words[0], position)
        except ValueError:
            return None
        if said[position : position + len(words)] == words:
            return position
        position += 1
    return None


def _as_written(row: str, cells: Sequence[str]) -> tuple[str, ...]:
    """The cells in the words of the text's row, which Markdown may write otherwise."""
    words = iter(row.split())
    written = [cell(" ".join(islice(words, len(each.split())))) for each in cells]
    while written and not written[-1]:
        written.pop()
    return tuple(written)


def _rows(markdown: str) -> Iterator[tuple[list[str], list[str], str]]:
    """Cells, the names of the columns, the group."""
    heads: Sequence[str] = ()
    group, before = "", ""
    for line in markdown.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if _RULE.fullmatch(line.strip()):
            heads, group = [cell.strip() for cell in before.strip().strip("|").split("|")], ""
        elif not line.startswith("|"):
            heads = ()
        elif heads and (named := _GROUP.fullmatch(cells[0])) and not any(cells[1:]):
            group = named[1]
        elif heads:
            yield cells, list(heads), group
        before = line
