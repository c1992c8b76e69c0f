"""Letters that stand upon other letters or on a line, so that ink there is no proof of them. Pure."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

GAP = 3.0  # heights of a letter: what is farther apart is another piece
BACK = 2.0  # heights of a letter, to the left: the letters of a page that stands on its head go back by less
SHARED = 0.4  # of the height of the lower piece
LONG = 3.0  # heights of the lower piece
MIDDLE = (0.2, 0.7)  # of a piece's height, from its top: a line below is under the letters
FARTHEST = 64  # pieces that are beside each other; a page with more is crowded enough to be looked at
MOST_CROSSINGS = 4_000_000  # pairs of lines and pieces; a page with more is crowded as well

Sides = NDArray[np.float64]


class Pieces(NamedTuple):
    """Of a text, from the top down: the sides of each, in fractions of the page."""

    left: Sides
    top: Sides
    right: Sides
    bottom: Sides


def has_overprint(boxes: NDArray[np.float64], rules: NDArray[np.float64], aspect: float) -> bool:
    """Whether pieces of the text may stand upon each other, or on one of the level lines `rules`.

    boxes: (n, 4), x0, y0, x1, y1 of letters with ink, in fractions of a page that is `aspect` times as wide
    as high. rules: (m, 3), y, x0, x1 of each line.
    """
    if not len(boxes):
        return False
    found = _pieces(boxes, aspect)
    return _are_upon_each_other(found, aspect) or _are_on(rules, found, aspect)


def _pieces(boxes: NDArray[np.float64], aspect: float) -> Pieces:
    x0, y0, x1, y1 = boxes.T
    height = (y1 - y0)[1:] / aspect
    parted = (y0[1:] > y1[:-1]) | (y1[1:] < y0[:-1])
    parted |= (x0[:-1] - x0[1:] > BACK * height) | (x0[1:] - x1[:-1] > GAP * height)
    firsts = np.concatenate([[0], np.flatnonzero(parted) + 1])
    top = np.minimum.reduceat(y0, firsts)
    order = np.argsort(top)
    left = np.minimum.reduceat(x0, firsts)
    right, bottom = np.maximum.reduceat(x1, firsts), np.maximum.reduceat(y1, firsts)
    return Pieces(left[order], top[order], right[order], bottom[order])


def _are_upon_each_other(found: Pieces, aspect: float) -> bool:
    left, top, right, bottom = found
    tall = bottom - top
    for step in range(1, len(top)):
        beside = np.minimum(bottom[step:], bottom[:-step]) - top[step:]
        if not (beside > 0).any():
            return False
        if step > FARTHEST:
            return True
        lower = np.minimum(tall[step:], tall[:-step])
        across = np.minimum(right[step:], right[:-step]) - np.maximum(left[step:], left[:-step])
        if ((beside > SHARED * lower) & (across * aspect > LONG * lower)).any():
            return True
    return False


def _are_on(rules: NDArray[np.float64], found: Pieces, aspect: float) -> bool:
    if not len(rules):
        return False
    if len(rules) * len(found.top) > MOST_CROSSINGS:
        return True
    y, x0, x1 = rules.T[:, :, None]
    left, top, right, bottom = found
    tall = bottom - top
    depth = (y - top) / tall
    across = (np.minimum(x1, right) - np.maximum(x0, left)) * aspect
    return bool(((depth > MIDDLE[0]) & (depth < MIDDLE[1]) & (across > LONG * tall)).any())
