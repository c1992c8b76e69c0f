"""From the text of a CSV file to its rows: which character parts the cells, whether there are heads. Pure."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from formats.rendition.heads import has_heads

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
SAMPLE_ROWS = 200
DECLARED = re.compile(r"\Asep=(.)\r?\n", re.IGNORECASE)  # as Excel writes it
LONGEST_CELL = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """rows: with the number that each has in the file, from 1; empty ones are left out."""

    rows: Sequence[tuple[int, list[str]]]
    separator: str
    has_heads: bool


def read(text: str) -> Sheet:
    found = DECLARED.match(text)
    skipped = 1 if found else 0
    text = text[found.end() :] if found else text
    separator = found[1] if found and found[1] in SEPARATORS else separator_of(text)
    rows = [
        (number, cells)
        for number, cells in enumerate(_rows(text, separator), start=1 + skipped)
        if any(cells)
    ]
    return Sheet(
        rows=rows, separator=separator, has_heads=has_heads([cells for _, cells in rows[:SAMPLE_ROWS]])
    )


def separator_of(text: str) -> str:
    """The one that parts most rows into equally many cells; a comma where none does."""
    best, most = ",", 0.0
    for separator in SEPARATORS:
        counts = [
            len(cells)
            for _, cells in zip(range(SAMPLE_ROWS), _rows(text, separator), strict=False)
            if any(cells)
        ]
        if not counts:
            continue
        usual = max(set(counts), key=lambda count: (counts.count(count), count))
        score = (usual > 1) * counts.count(usual) / len(counts) * (1 + 0.05 * min(usual, 20))
        if score > most:
            best, most = separator, score
    return best


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    while True:
        try:
            yield [" ".join(cell.split()) for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error:  # a quote that is never closed, or a cell without end
            yield from _plainly(text, separator, reader.line_num)
            return


def _plainly(text: str, separator: str, lines_read: int) -> Iterator[list[str]]:
    """The rest of a text that breaks the rules: cut at each separator."""
    for line in text.splitlines()[max(0, lines_read - 1) :]:
        yield [" ".join(cell.split())[:LONGEST_CELL] for cell in line.split(separator)]
