"""In which script a line is printed, by the look of its strokes. In the sandbox.

The engine knows Latin letters, Chinese and Japanese. Of others it makes those, and is sure of it: Hebrew
comes out as Latin letters, Korean as Chinese. So a line is looked at before it is believed. The weights are
in scripts.npz; they were learned from lines drawn in several fonts and damaged as scans are, and from lines
of files, see tools/train_scripts.py.
"""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

HEIGHT = 32  # pixels of a line that is looked at
WINDOW, STEP = 64, 32  # pixels of its parts, and from one to the next
MOST_WINDOWS = 16  # of a line
CELL, DIRECTIONS = 8, 6
LEAST_CONTRAST = 24  # shades between paper and ink
KNOWN = ("Latin", "Chinese or Japanese")
NO_PRINT = ""
_WEIGHTS = Path(__file__).with_name("scripts.npz")

Shades = NDArray[np.uint8]  # (height, width)


def names() -> tuple[str, ...]:
    """Of the scripts that can be told, in the order of `likelihood`."""
    return _names()


def likelihood(line: Shades) -> NDArray[np.float64] | None:
    """The logarithm of how likely each script is, the mean of the line's parts; None for a blank line."""
    seen = features(line)
    if seen is None:
        return None
    first, first_bias, second, second_bias = _weights()
    hidden = np.maximum(seen @ first + first_bias, 0)
    scores = hidden @ second + second_bias
    scores -= scores.max(axis=1, keepdims=True)
    return np.asarray(
        (scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))).mean(axis=0), dtype=np.float64
    )


def features(line: Shades) -> NDArray[np.float32] | None:
    """(windows, numbers): in which directions the edges of strokes run, cell by cell."""
    level = _normal(line)
    if level is None:
        return None
    across, down = cv2.Sobel(level, cv2.CV_32F, 1, 0), cv2.Sobel(level, cv2.CV_32F, 0, 1)
    strength = np.hypot(across, down)
    turned = np.floor((np.arctan2(down, across) % np.pi) / np.pi * DIRECTIONS).astype(int) % DIRECTIONS
    maps = np.stack([np.where(turned == each, strength, 0) for each in range(DIRECTIONS)], axis=-1)
    columns = maps.shape[1] // CELL
    cells = (
        maps[:, : columns * CELL].reshape(HEIGHT // CELL, CELL, columns, CELL, DIRECTIONS).sum(axis=(1, 3))
    )
    wide, step = WINDOW // CELL, STEP // CELL
    starts = list(range(0, columns - wide + 1, step))[:MOST_WINDOWS]
    parts = np.stack([cells[:, start : start + wide].ravel() for start in starts])
    return np.asarray(parts / (np.linalg.norm(parts, axis=1, keepdims=True) + 1e-3), dtype=np.float32)


def _normal(line: Shades) -> NDArray[np.float32] | None:
    """Ink 1 and paper 0, cut to the rows with ink, HEIGHT high, at least a window wide."""
    paper = float(np.median(line))
    darkest, lightest = np.percentile(line, (2, 98))
    contrast = max(paper - darkest, lightest - paper)
    if contrast < LEAST_CONTRAST:
        return None
    ink = np.clip(np.abs(line.astype(np.float32) - np.float32(paper)) / np.float32(contrast), 0, 1)
    rows = np.flatnonzero((ink > 0.5).mean(axis=1) > 0.01)
    columns = np.flatnonzero((ink > 0.5).any(axis=0))
    if len(rows) < 4 or not len(columns):
        return None
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    width = max(1, round(ink.shape[1] * HEIGHT / ink.shape[0]))
    level = cv2.resize(ink, (min(width, WINDOW + STEP * MOST_WINDOWS), HEIGHT), interpolation=cv2.INTER_AREA)
    return np.pad(level, ((0, 0), (0, max(0, WINDOW - level.shape[1]))))


@cache
def _names() -> tuple[str, ...]:
    return tuple(np.load(_WEIGHTS)["names"].tolist())


@cache
def _weights() -> list[NDArray[np.float32]]:
    stored = np.load(_WEIGHTS)
    return [stored[name].astype(np.float32) for name in ("first", "first_bias", "second", "second_bias")]
