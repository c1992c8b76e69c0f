"""Weights as they are distributed: matrices as int8 with a scale per row, all else in half precision."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

STEPS = 127
SCALE = ".scale"

Arrays = dict[str, NDArray[Any]]


def packed(weights: Mapping[str, NDArray[np.float32]]) -> Arrays:
    """A quarter of the size; no number moves by more than half a step of its row."""
    told: Arrays = {}
    for name, values in weights.items():
        if values.ndim < 2:
            told[name] = values.astype(np.float16)
            continue
        largest = np.abs(values).max(1)
        scale = np.where(largest > 0, largest / STEPS, 1).astype(np.float32)
        told[name] = np.round(values / scale[:, None]).astype(np.int8)
        told[name + SCALE] = scale
    return told


def unpacked(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    return {
        name: values.astype(np.float32) * (arrays[name + SCALE][:, None] if name + SCALE in arrays else 1)
        for name, values in arrays.items()
        if not name.endswith(SCALE)
    }
