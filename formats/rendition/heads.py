"""Which rows of a table without marks name its columns. Pure."""

import re
from collections.abc import Sequence

LOOKED_AT = 200  # rows
MOST_HEADS = 4  # rows
_FIGURE = re.compile(r"[-+(]?[$€£¥]?\s?\d[\d.,  ]*%?\)?$|\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4}")
_YEAR = re.compile(r"(?:19|20)\d\d$")


def has_heads(rows: Sequence[Sequence[str]]) -> bool:
    """Words, none twice, years among them at most; with several columns, or with figures below."""
    if len(rows) < 2:
        return False
    heads = [cell.strip() for cell in rows[0]]
    named = [head for head in heads if head]
    words = [head for head in named if not _YEAR.match(head)]
    if not words or len(set(named)) < len(named) or any(_FIGURE.match(head) for head in words):
        return False
    below = (row[column] for row in rows[1:LOOKED_AT] for column in range(min(len(row), len(heads))))
    return len(named) > 1 or any(_FIGURE.match(cell.strip()) for cell in below)


def heads_of(rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """From and to, of each table of a sheet. numbers: of the rows; a missing one is an empty row.

    A table begins behind an empty row or a row of one cell; its heads are the rows of words with which it
    begins, if figures follow, behind an empty row too.
    """
    found: list[tuple[int, int]] = []
    begun: int | None = None
    for place, row in enumerate(rows):
        filled = [cell for cell in row if cell]
        is_behind_gap = not place or numbers[place] > numbers[place - 1] + 1
        if len(filled) > 1 and not any(map(_is_figure, filled)):
            if is_behind_gap or (begun is None and sum(map(bool, rows[place - 1])) < 2):
                begun = place
        elif len(filled) > 1:
            if begun is not None and 0 < place - begun <= MOST_HEADS:
                found.append((begun, place))
            begun = None
        else:
            begun = None
    if not found and has_heads(rows[:LOOKED_AT]):
        found.append((0, 1))
    return tuple(found)


def _is_figure(cell: str) -> bool:
    return bool(_FIGURE.match(cell)) and not _YEAR.match(cell)
