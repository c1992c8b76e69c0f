"""Splits texts and their tokens into what a tokenizer and a session take at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

# A tokenizer needs some 200 bytes of memory a character, so it never gets much at once.
CHARACTERS_A_TOKEN = 40  # of a text that are read for each token that is: far more than fill it
CHARACTERS_AT_ONCE = 200_000
# Larger batches leave the processor's cache and are slower.
BATCH = 8  # texts


def batches(rows: Sequence[Sequence[int]], tokens_at_once: int) -> Iterator[list[int]]:
    """Positions of rows of similar length, so that little of a batch is padding, which counts as tokens."""
    batch: list[int] = []
    for position in sorted(range(len(rows)), key=lambda position: len(rows[position])):
        if len(batch) == BATCH or (batch and (len(batch) + 1) * len(rows[position]) > tokens_at_once):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def padded(rows: Sequence[Sequence[int]], filling: int = 0, least: int = 0) -> NDArray[np.int64]:
    """Rows of one length, int64 (len(rows), the longest, or `least` where that is more)."""
    table = np.full((len(rows), max(least, *map(len, rows))), filling, np.int64)
    for position, row in enumerate(rows):
        table[position, : len(row)] = row
    return table


def slices(text: str, characters: int) -> Iterator[str]:
    """The text in pieces that a tokenizer can take, split at white space where there is any."""
    start = 0
    while len(text) - start > characters:
        space = text.rfind(" ", start + 1, start + characters)
        end = space if space > 0 else start + characters
        yield text[start:end]
        start = end
    yield text[start:]


def portions(texts: Iterable[str]) -> Iterator[list[str]]:
    """The texts in lists of no more than CHARACTERS_AT_ONCE in all."""
    some: list[str] = []
    length = 0
    for text in texts:
        if some and length + len(text) > CHARACTERS_AT_ONCE:
            yield some
            some, length = [], 0
        some.append(text)
        length += len(text)
    if some:
        yield some
