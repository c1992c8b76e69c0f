"""Rows of tables among the sentences of a text: a row is a statement about what its first cell names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """text[start:end]. columns: start, end and the name of the column of each of its cells."""

    start: int
    end: int
    columns: tuple[tuple[int, int, str], ...]

    def column_of(self, place: int) -> str:
        """The name of the column in which something stands."""
        return next((name for start, end, name in self.columns if start <= place < end), "")


def with_rows(text: str, sentences: Sequence[Span], rows: Sequence[Row]) -> tuple[Span, ...]:
    """Each row as one span; of the sentences what is in none."""
    if not rows:
        return tuple(sentences)
    return tuple(sorted([*((row.start, row.end) for row in rows), *_outside(text, sentences, rows)]))


def _outside(text: str, sentences: Sequence[Span], rows: Sequence[Row]) -> Iterator[Span]:
    for start, end in sentences:
        position = start
        for row in rows:
            if row.start < end and position < row.end:
                yield from _stripped(text, position, row.start)
                position = row.end
        yield from _stripped(text, position, end)


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start : max(start, end)]
    if body := piece.strip():
        first = start + len(piece) - len(piece.lstrip())
        yield first, first + len(body)
