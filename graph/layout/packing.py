"""The parts of a drawing that no edge connects, side by side: the largest in the middle, the others around.

An outline says how far the drawing reaches in each direction. A part is set down on it once, so the work
grows with the number of parts and not with the size of the drawing.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.layout.beside import Places

GAP = 0.65  # around each part
SECTORS = 720  # directions
SMOOTH = 20  # sectors beside a node of the middle part where nothing stands nearer than it
STAY = (
    0.5  # what it counts to stay where it was, against being near the middle; below 1, or it could drift away
)

ANGLES = np.arange(SECTORS) * 2 * np.pi / SECTORS
DIRECTIONS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
Outline = NDArray[np.float64]


def pack(parts: Sequence[Places], before: Places) -> Places:
    """The middle of each part; parts are around their own, the largest first.

    `before`: where the middle of each was, not a number where it is new.
    """
    middles = np.zeros((len(parts), 2))
    outline = outline_of(parts[0]) if parts else np.zeros(SECTORS)
    for i, part in enumerate(parts[1:], start=1):
        reach = float(np.hypot(*part.T).max()) + GAP
        half = _sectors(reach, float(outline.min()) + reach)
        away = _highest(outline, half) + reach
        cost = away.copy()
        if not np.isnan(before[i]).any():
            cost += STAY * np.hypot(*(away[:, None] * DIRECTIONS - before[i]).T)
        best = int(cost.argmin())
        middles[i] = away[best] * DIRECTIONS[best]
        covered = np.arange(best - half, best + half + 1) % SECTORS
        outline[covered] = np.maximum(outline[covered], away[best] + reach)
    return middles


def outline_of(part: Places) -> Outline:
    """How far it reaches in each direction."""
    length = np.hypot(*part.T) + GAP
    outline = np.full(SECTORS, length.min())
    turned = np.arctan2(part[:, 1], part[:, 0]) / (2 * np.pi) * SECTORS
    np.maximum.at(outline, turned.round().astype(int) % SECTORS, length)
    return _highest(outline, SMOOTH)


def _sectors(reach: float, away: float) -> int:
    """How many sectors something so large, so far away, covers to each side of its middle."""
    return int(np.ceil(np.arcsin(min(1.0, reach / away)) / (2 * np.pi) * SECTORS))


def _highest(outline: Outline, half: int) -> Outline:
    """The highest within so many sectors to each side, for every sector."""
    wrapped = np.concatenate([outline[-half:], outline, outline[:half]])
    return np.lib.stride_tricks.sliding_window_view(wrapped, 2 * half + 1).max(axis=1)
