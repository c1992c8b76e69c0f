"""From the text of a CSV file to its rows: which character parts the cells, whether there are heads. Pure."""

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO

from formats.rendition.grid import check_size
from formats.rendition.heads import heads_of

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
SAMPLE_ROWS = 200
DECLARED = re.compile(r"\Asep=(.)\r?\n", re.IGNORECASE)  # as Excel writes it
LONGEST_CELL = 100_000  # characters that the end of a quote is looked for in


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """rows: with the number that each has in the file, from 1; empty ones are left out. heads: which of them,
    from and to, name the columns.
    """

    rows: Sequence[tuple[int, list[str]]]
    separator: str
    heads: tuple[tuple[int, int], ...]


def read(text: str) -> Sheet:
    """Raises ExtractionError for more rows or cells than a table may have."""
    found = DECLARED.match(text)
    skipped = 1 if found else 0
    text = text[found.end() :] if found else text
    separator = found[1] if found and found[1] in SEPARATORS else separator_of(text)
    rows, count = [], 0
    for number, cells in enumerate(_rows(text, separator), start=1 + skipped):
        if any(cells):
            rows.append((number, cells))
            count += len(cells)
            check_size(len(rows), count)
    heads = heads_of([cells for _, cells in rows], [number for number, _ in rows])
    return Sheet(rows=rows, separator=separator, heads=heads)


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
    """Where a quote is not closed as it should be, its first line alone is cut at each separator."""
    lines = StringIO(text, newline="")  # read one by one: a list of millions would take the memory
    width, end = 0, len(text)
    while lines.tell() < end:
        record = _record(lines, separator, width)
        yield [" ".join(cell.split()) for cell in record]
        width = width or len(record)


def _record(lines: StringIO, separator: str, width: int) -> list[str]:
    """The cells of the record that begins here; what follows it is left. width: cells of the first."""
    csv.field_size_limit(LONGEST_CELL)
    begun = lines.tell()
    reader = csv.reader(iter(lines.readline, ""), delimiter=separator, skipinitialspace=True, strict=True)
    try:
        record = next(reader)
        if reader.line_num == 1 or not any(_has_rows(cell, separator, width) for cell in record):
            return record
    except csv.Error:
        pass
    lines.seek(begun)
    line = lines.readline()
    if reader.line_num == 1:
        with suppress(csv.Error):
            return next(csv.reader([line], delimiter=separator, skipinitialspace=True))
    return line.split(separator)


def _has_rows(cell: str, separator: str, width: int) -> bool:
    """Whether its lines look like rows of this table, which an open quote has swallowed."""
    inner = cell.splitlines()[1:-1]
    return width > 1 and len(inner) > 1 and all(line.count(separator) == width - 1 for line in inner)
