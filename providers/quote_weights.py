"""What each measure counts. Fitted by benchmarks/fit_keyless.py on questions about other documents."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from providers.quote_features import FEATURES

FITNESS = {
    "meaning": 8.41,
    "passage": 4.44,
    "words": 3.6,
    "words_around": 2.14,
    "words_title": 2.07,
    "names": 0.84,
    "names_document": 1.26,
    "name_absent": -0.97,
    "other_subject": -2.5,
    "other_edition": -0.5,
    "boilerplate": -2.78,
    "kind": 2.0,
    "wrong_year": -1.86,
    "title_only": -1.37,
    "short": -1.31,
    "title_named": 0.85,
    "replaces": 0.37,
}
SURENESS = {
    "meaning": 7.44,
    "passage": 3.37,
    "words": 1.49,
    "words_around": 0.41,
    "rarest": 0.07,
    "names": 0.27,
    "names_document": 0.17,
    "name_absent": -0.47,
    "name_unknown": -0.35,
    "other_subject": -1.24,
    "other_edition": -0.5,
    "boilerplate": -2.5,
    "kind": 0.9,
    "wrong_year": -1.46,
    "title_only": -0.8,
    "short": -0.8,
}
BIAS = -7.83


def fitness(measured: NDArray[Any]) -> NDArray[Any]:
    """(candidates, FEATURES) to one number each; only their order has a meaning."""
    return weighed(measured, FITNESS)


def sureness(measured: NDArray[Any]) -> NDArray[Any]:
    """The chance that each candidate is an answer, 0 to 1."""
    chances: NDArray[Any] = 1 / (1 + np.exp(-weighed(measured, SURENESS) - BIAS))
    return chances


def weighed(measured: NDArray[Any], weights: Mapping[str, float]) -> NDArray[Any]:
    result: NDArray[Any] = measured @ np.array([weights.get(name, 0.0) for name in FEATURES])
    return result
