"""What each measure counts. Fitted by benchmarks/fit_keyless.py on questions about other documents."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from providers.quote_features import FEATURES

FITNESS = {
    "meaning": 8.11,
    "passage": 4.51,
    "words": 2.75,
    "words_around": 1.37,
    "words_title": 1.44,
    "rarest": 0.29,
    "names": 1.17,
    "names_document": 1.32,
    "name_absent": -0.77,
    "kind": 1.37,
    "wrong_year": -0.53,
    "short": -1.43,
    "title_named": 0.96,
    "replaces": 0.66,
}
SURENESS = {
    "meaning": 7.18,
    "passage": 3.13,
    "words": 1.58,
    "words_around": 0.58,
    "rarest": 0.46,
    "names": 0.66,
    "names_document": 0.77,
    "name_absent": -0.45,
    "kind": 0.4,
    "kind_missing": -0.03,
    "wrong_year": -1.39,
    "title_only": -0.8,
    "short": -0.8,
}
BIAS = -8.9


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
