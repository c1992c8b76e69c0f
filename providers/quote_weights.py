"""What each measure counts. Fitted by benchmarks/fit_keyless.py, never on the held-out questions."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from providers.quote_features import FEATURES

FITNESS = {
    "meaning": 3.83,
    "meaning_alone": 4.93,
    "meaning_wide": 5.1,
    "passage": 3.53,
    "words": 3.37,
    "words_around": 1.94,
    "words_title": 2.17,
    "rarest": 0.24,
    "names": 0.7,
    "names_document": 1.13,
    "name_absent": -0.8,
    "other_subject": -2.46,
    "other_edition": -0.81,
    "boilerplate": -2.5,
    "kind": 1.92,
    "wrong_year": -1.99,
    "title_only": -1.98,
    "short": -1.85,
    "title_named": 1.23,
    "replaces": 0.1,
}
SURENESS = {
    "meaning": 2.97,
    "meaning_alone": 2.95,
    "meaning_wide": 3.38,
    "passage": 1.11,
    "words": 1.24,
    "words_around": 0.32,
    "rarest": 0.14,
    "names": 0.49,
    "names_document": 0.37,
    "name_absent": -0.53,
    "name_unknown": -0.31,
    "other_subject": -1.04,
    "other_edition": -0.5,
    "boilerplate": -2.5,
    "kind": 0.76,
    "wrong_year": -1.97,
    "title_only": -0.8,
    "short": -0.8,
}
BIAS = -7.73


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
