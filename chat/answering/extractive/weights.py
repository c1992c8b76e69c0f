"""What each measure counts. Fitted by benchmarks/fit_keyless.py, never on the held-out questions."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chat.answering.extractive.features import FEATURES

FITNESS = {
    "meaning": 2.96,
    "meaning_alone": 4.18,
    "meaning_wide": 5.0,
    "covered": 3.83,
    "asked": 3.94,
    "passage": 3.04,
    "words": 2.38,
    "words_around": 1.41,
    "words_title": 2.24,
    "rarest": 0.21,
    "names": 0.81,
    "names_document": 1.15,
    "name_absent": -0.8,
    "other_subject": -2.46,
    "other_edition": -0.85,
    "boilerplate": -2.5,
    "kind": 1.36,
    "wrong_year": -2.26,
    "title_only": -2.2,
    "short": -1.39,
    "title_named": 1.33,
    "replaces": 0.4,
}
SURENESS = {
    "meaning_alone": 0.72,
    "meaning_wide": 2.21,
    "covered": 0.92,
    "asked": 0.06,
    "covered_best": 0.25,
    "asked_best": 1.28,
    "lead": 6.83,
    "passage": 0.76,
    "words_around": 0.13,
    "names": 0.26,
    "names_document": 0.05,
    "name_absent": -0.3,
    "name_unknown": -1.82,
    "kind_missing": -0.4,
    "wrong_year": -2.31,
    "short": -2.46,
}
BIAS = -4.34


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
