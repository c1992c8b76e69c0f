"""Examples as numbers: `[CLS] question [SEP] title sentence sentence ... [SEP]` as token ids, each with the
sentence that it stands in, in batches of like length.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from tools.train_reader.examples import Example

LONGEST = 160  # tokens
LONGEST_ASKED = 64
LONGEST_TITLE = 16
LENGTHS = (32, 48, 64, 80, 96, 128, 160)
TOKENS = 4096  # of a batch, padding included
CLS, SEP = 101, 102
NO_SENTENCE = -1  # of the title and of padding


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """ids, types and sentence are (n, tokens); sentence counts from 1, and is 0 for the question. right and
    left_out are (n, 1 + sentences), with "none of them" first; label is (n,), -1 for questions.
    """

    examples: tuple[Example, ...]
    ids: NDArray[np.int64]
    types: NDArray[np.int64]
    sentence: NDArray[np.int64]
    right: NDArray[np.bool_]
    left_out: NDArray[np.bool_]
    label: NDArray[np.int64]


def encoded(tokenizer: Tokenizer, examples: Sequence[Example]) -> list[tuple[Example, list[int], list[int]]]:
    """Each example with its ids and the sentence of each; what does not fit is cut."""
    texts = [text for each in examples for text in (each.asked, each.title, *each.sentences)]
    rows = iter(tokenizer.encode_batch_fast([text[:2500] for text in texts], add_special_tokens=False))
    told = []
    for each in examples:
        asked = next(rows).ids[:LONGEST_ASKED]
        ids, places = [CLS, *asked, SEP], [0] * (len(asked) + 2)
        title = next(rows).ids[:LONGEST_TITLE]
        ids, places = ids + title, places + [NO_SENTENCE] * len(title)
        for number in range(len(each.sentences)):
            sentence = next(rows).ids
            ids, places = ids + sentence, places + [number + 1] * len(sentence)
        ids, places = [*ids[: LONGEST - 1], SEP], [*places[: LONGEST - 1], NO_SENTENCE]
        told.append((each, ids, places))
    return told


def batches(tokenizer: Tokenizer, examples: Sequence[Example]) -> Iterator[Batch]:
    """The examples by length, each batch padded to one of LENGTHS."""
    rows = sorted(encoded(tokenizer, examples), key=lambda row: len(row[1]))
    some: list[tuple[Example, list[int], list[int]]] = []
    for row in rows:
        if some and (len(some) + 1) * _padded(len(row[1])) > TOKENS:
            yield _batch(some)
            some = []
        some.append(row)
    if some:
        yield _batch(some)


def _padded(length: int) -> int:
    return next(each for each in LENGTHS if each >= length)


def _batch(rows: Sequence[tuple[Example, list[int], list[int]]]) -> Batch:
    length = _padded(max(len(ids) for _, ids, _ in rows))
    most = max(1, *(max(places) for _, _, places in rows))
    shape = (len(rows), length)
    ids, types = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    sentence = np.full(shape, NO_SENTENCE, np.int64)
    right, left_out = np.zeros((len(rows), 1 + most), np.bool_), np.ones((len(rows), 1 + most), np.bool_)
    label = np.array([example.label for example, _, _ in rows], np.int64)
    for row, (example, tokens, places) in enumerate(rows):
        asked = places.index(0) + places.count(0)
        ids[row, : len(tokens)] = tokens
        types[row, asked : len(tokens)] = 1
        sentence[row, : len(places)] = places
        shown = {place for place in places if place > 0}
        chosen = [place + 1 for place in example.right if place + 1 in shown]
        right[row, chosen or [0]] = True
        left_out[row, [0, *shown]] = False
        left_out[row, [place + 1 for place in example.left_out if place + 1 in shown]] = True
        if not chosen and example.left_out:
            left_out[row, 1:] = True
    return Batch(
        examples=tuple(example for example, _, _ in rows),
        ids=ids,
        types=types,
        sentence=sentence,
        right=right,
        left_out=left_out,
        label=label,
    )
