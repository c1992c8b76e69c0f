"""Puts what is on top of a page, such as values of form fields, where a person reads it in the text. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from formats.base.layout import FilledIn
from formats.pdf.page_text.clean import Boxes, Codes

LINE_ENDS = (0x0A, 0x0D)
SPACE, NEW_LINE = 0x20, 0x0A
WHITE = (SPACE, *LINE_ENDS)
TICKED, NOT_TICKED = 0x2611, 0x2610  # ☑ ☐
BESIDE = 0.5  # of the lower of two heights: what overlaps by more is on one line
FIELD = 6  # column of boxes: of which field a character is the value
MOST_LINES = 2_000  # on top of a page; the rest stands at its end as it is drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a form. box: x0, y0, x1, y1 in fractions of the displayed page. ticked: None for what is
    neither a check box nor a radio button.
    """

    name: str
    value: str
    box: tuple[float, float, float, float]
    ticked: bool | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """Characters that stand on one line. at: their places among all. box: x0, y0, x1, y1."""

    at: NDArray[np.intp]
    box: NDArray[np.float64]


def with_fields(codes: Codes, boxes: Boxes, own: int, fields: Sequence[Field]) -> tuple[Codes, Boxes]:
    """All characters in reading order.

    codes: (n,), of which the first `own` are the page's. boxes: (n, FIELD), x0, y0, x1, y1 in fractions of
    the displayed page, and what else stays with a character. Returned boxes have one more column: the number
    of the field, from 1, whose value the character belongs to, else 0. What is on top goes into the line
    beside it, behind what is left of it, or else below the nearest line above it.
    """
    boxes = np.hstack([boxes, np.zeros((len(boxes), 1))])
    codes, boxes = _in_fields(codes, boxes, own, fields)
    added = sorted(_lines(codes, boxes, own, len(codes)), key=lambda line: (line.box[1], line.box[0]))
    if not added:
        return codes[:own], boxes[:own]
    lines = list(_lines(codes, boxes, 0, own))
    around = np.array([line.box for line in lines]).reshape(-1, 4)
    placed = [_placed(line, lines, around, boxes) for line in added[:MOST_LINES]]
    placed += [_Placed(own, line, within=False) for line in added[MOST_LINES:]]
    return _woven(codes, boxes, own, sorted(placed, key=lambda each: (each.before, not each.within)))


def spans(text: str, numbers: NDArray[np.float64], fields: Sequence[Field]) -> tuple[FilledIn, ...]:
    """Where in the text values of fields are. numbers: of each character's field, as `with_fields` says."""
    edges = np.flatnonzero(np.diff(numbers)) + 1
    starts, ends = [0, *edges.tolist()], [*edges.tolist(), len(text)]
    return tuple(
        FilledIn(start=start, end=end, name=fields[int(numbers[start]) - 1].name)
        for start, end in zip(starts, ends, strict=True)
        if start < end and numbers[start] and text[start:end].strip(chr(NOT_TICKED)).strip()
    )


def _in_fields(codes: Codes, boxes: Boxes, own: int, fields: Sequence[Field]) -> tuple[Codes, Boxes]:
    """What is on top gets the number of its field. The sign in a check box becomes one that says what it
    means, and spaces that only part the cells of a value go.
    """
    x, y = boxes[:, [0, 2]].mean(axis=1), boxes[:, [1, 3]].mean(axis=1)
    on_top = np.arange(len(codes)) >= own
    kept = np.ones(len(codes), dtype=bool)
    signs: list[int] = []
    for number, field in enumerate(fields, start=1):
        x0, y0, x1, y1 = field.box
        inside = on_top & (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
        boxes[inside, FIELD] = number
        if field.ticked is not None:
            kept &= ~inside
            signs.append(number)
        else:
            kept[_only_between_cells(codes, inside, field.value)] = False
    ticks = np.array(
        [TICKED if fields[number - 1].ticked else NOT_TICKED for number in signs], dtype=codes.dtype
    )
    places = np.array([(*fields[number - 1].box, 0.0, 0.0, number) for number in signs]).reshape(
        -1, FIELD + 1
    )
    ends = np.full(len(signs), NEW_LINE, dtype=codes.dtype)
    return (
        np.concatenate([codes[kept], np.column_stack([ends, ticks]).ravel()]).astype(codes.dtype),
        np.concatenate([boxes[kept], np.hstack([np.zeros_like(places), places]).reshape(-1, FIELD + 1)]),
    )


def _only_between_cells(codes: Codes, inside: NDArray[np.bool_], value: str) -> list[int]:
    """Places of spaces which the value does not have: its letters are drawn in cells of their own."""
    said, stray, place = [ord(letter) for letter in value], list[int](), 0
    for at in np.flatnonzero(inside).tolist():
        if codes[at] in LINE_ENDS:
            continue
        if place < len(said) and codes[at] == said[place]:
            place += 1
        elif codes[at] == SPACE:
            stray.append(at)
        else:
            return []  # it is drawn otherwise than it is kept, as dates are
    return stray


def _lines(codes: Codes, boxes: Boxes, start: int, end: int) -> Iterator[_Line]:
    """Of characters start to end: parted at line ends and where another field begins."""
    is_end = np.isin(codes[start:end], LINE_ENDS)
    changes = np.diff(boxes[start:end, FIELD], prepend=0) != 0
    for at in np.split(np.arange(start, end), np.flatnonzero(is_end | changes)):
        inked = at[(boxes[at, 2] > boxes[at, 0]) & (boxes[at, 3] > boxes[at, 1]) & (codes[at] != SPACE)]
        if len(inked):
            box = np.concatenate([boxes[inked, :2].min(axis=0), boxes[inked, 2:4].max(axis=0)])
            yield _Line(np.arange(inked[0], inked[-1] + 1), box)


@dataclass(frozen=True, slots=True)
class _Placed:
    """before: which of the page's own characters the line goes. within: a line of the page, not below one."""

    before: int
    line: _Line
    within: bool


def _placed(added: _Line, lines: Sequence[_Line], around: Boxes, boxes: Boxes) -> _Placed:
    """around: the boxes of the page's lines."""
    x0, _, x1, y1 = added.box
    left, _, right, bottom = around.T
    is_beside = _are_beside(added.box, around)
    if is_beside.any():
        away = np.maximum(np.maximum(left - x1, x0 - right), 0.0)
        at = lines[int(np.argmin(np.where(is_beside, away, np.inf)))].at
        before = at[(boxes[at, 2] > boxes[at, 0]) & (boxes[at, 0] < x0)]
        return _Placed(int(before[-1]) + 1 if len(before) else int(at[0]), added, within=True)
    is_above = bottom <= y1
    is_over = is_above & (left < x1) & (x0 < right)
    if not is_above.any():
        return _Placed(0, added, within=False)
    height = np.where(is_over if is_over.any() else is_above, bottom, -np.inf)
    return _Placed(int(lines[int(np.argmax(height))].at[-1]) + 1, added, within=False)


def _woven(codes: Codes, boxes: Boxes, own: int, placed: Sequence[_Placed]) -> tuple[Codes, Boxes]:
    """The page's own characters with the others between them. placed: in order."""
    order: list[NDArray[np.intp]] = []  # places of characters; below 0: minus the code of a new one
    done = 0
    for before, group in groupby(placed, key=lambda each: each.before):
        order.append(np.arange(done, before))
        follows = int(codes[before - 1]) if before else NEW_LINE
        goes_on = before < own and int(codes[before]) not in WHITE
        order += _inserted(list(group), follows=follows, goes_on=goes_on)
        done = before
    order.append(np.arange(done, own))
    places = np.concatenate(order).astype(np.intp)
    moved = boxes[np.maximum(places, 0)]
    moved[places < 0] = 0
    return np.where(places < 0, -places, codes[np.maximum(places, 0)]).astype(codes.dtype), moved


def _inserted(group: Sequence[_Placed], *, follows: int, goes_on: bool) -> Iterator[NDArray[np.intp]]:
    """Lines on top that go to one place, behind the code `follows`. goes_on: a word of the page is next."""
    last: _Placed | None = None
    for each in group:
        is_same_row = each.within or (last is not None and bool(_are_beside(last.line.box, each.line.box)))
        if last or follows not in (WHITE if is_same_row else LINE_ENDS):
            yield np.array([-SPACE if is_same_row else -NEW_LINE])
        yield each.line.at
        last = each
    if last and goes_on:
        yield np.array([-SPACE if last.within else -NEW_LINE])


def _are_beside(box: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether each of the others is on one line with the box. others: (..., 4)."""
    top, bottom = others[..., 1], others[..., 3]
    shared = np.minimum(bottom, box[3]) - np.maximum(top, box[1])
    return np.asarray(shared > BESIDE * np.minimum(bottom - top, box[3] - box[1]))
