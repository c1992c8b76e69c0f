"""Which way up a page lies: the direction in which its lines run, then in which they make sense."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from formats.ocr.engine import Engine, Picture, Quad, sides, straighten
from formats.ocr.scripts import likelihood
from formats.ocr.unknown_scripts import SURELY, ahead

Points = NDArray[np.floating]

TALL = 1.5  # times as high as wide: a line that runs up or down the page
TRIED = 6  # lines that are read both ways, at the most
CLEARLY = 0.05  # higher a score must be before a page counts as turned
READABLE = 0.9  # a line that is read with more the one way or the other is in a script that the engine knows
LEAST_LOOKS = -10.0  # of a blank line
DECIDED = 0.5  # by which the scores of a way are ahead once no more lines are read: a line of print gives 0.3


def quarters(engine: Engine, picture: Picture, lines: Sequence[Quad]) -> int:
    """How many quarter turns clockwise put the page upright, 0 to 3."""
    told = [line for line in lines if max(sides(line)) >= TALL * min(sides(line))]
    tall = sum(_is_tall(line) for line in told)
    sideways = tall * 2 > len(told)
    along = sorted((line for line in told if _is_tall(line) == sideways), key=lambda line: -max(sides(line)))
    first, second = (1, 3) if sideways else (0, 2)
    in_favour = 0.0
    foreign = []
    for line in along[:TRIED]:
        (score, looks), (turned, turned_looks) = (
            _look(engine, picture, line, way) for way in (first, second)
        )
        in_favour += turned - score
        if max(score, turned) < READABLE:
            foreign.append((looks, turned_looks))
        if abs(in_favour) >= DECIDED and len(foreign) != 1:
            break
    if foreign:
        looks, turned_looks = np.mean(foreign, axis=0)
        if max(looks, turned_looks) >= SURELY:
            return second if turned_looks > looks else first
    return second if in_favour > CLEARLY * min(TRIED, len(along)) else first


def _look(engine: Engine, picture: Picture, line: Quad, way: int) -> tuple[float, float]:
    """How sure the engine is of the line, and how much that looks like a script it does not know."""
    straight = straighten(picture, np.roll(line, way, axis=0))
    looks = ahead(likelihood(np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY), dtype=np.uint8)))
    return engine.read(straight).score, max(looks, LEAST_LOOKS)


def readings(line: Quad, quarters: int) -> list[Quad]:
    """The line's corners from where its reading begins, on a page that needs so many turns clockwise.

    Two possibilities for a line that runs up or down beside the others.
    """
    runs_across = _is_tall(line) != (quarters % 2 == 1) and max(sides(line)) >= TALL * min(sides(line))
    turns = (quarters + 1, quarters + 3) if runs_across else (quarters,)
    return [np.roll(line, turn % 4, axis=0) for turn in turns]


def _is_tall(line: Quad) -> bool:
    width, height = sides(line)
    return height >= TALL * width


def turn_points(points: Points, quarters: int, width: int, height: int) -> Points:
    """(n, 2) pixels of a page, on the page turned clockwise by so many quarters."""
    x, y = points[..., 0], points[..., 1]
    across, down = [(x, y), (height - y, x), (width - x, height - y), (y, width - x)][quarters % 4]
    return np.stack([across, down], axis=-1)
