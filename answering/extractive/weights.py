"""What each measure counts. Fitted by benchmarks/fit_keyless.py, never on the held-out questions; since then
"matter" and "boilerplate" were set by hand, on the development list, "label", "change" and "time_unnamed" on
questions to quarterly reports, "usual", "plainly" and "otherwise" on contracts (benchmarks/contracts.py),
"another" and "limit" by hand on contracts and their amendments, "in_phrase" by hand on reports,
"other_source", "other_number" and "title" as they are in the benchmark's PRIOR.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answering.extractive.features import FEATURES

FITNESS = {
    "meaning": 4.88,
    "meaning_alone": 5.32,
    "meaning_wide": 6.2,
    "words": 3.72,
    "matter": 1.5,
    "name_absent": -1.0,
    "other_subject": -2.46,
    "other_edition": -1.19,
    "other_source": -4.0,
    "other_number": -2.0,
    "boilerplate": -9.0,
    "kind": 1.37,
    "wrong_year": -2.26,
    "short": -1.5,
    "title": -2.0,
    "label": 3.5,
    "change": -1.5,
    "limit": -1.5,
    "time_unnamed": -0.5,
    "usual": 4.5,
    "plainly": 2.0,
    "in_phrase": -5.0,
    "another": -3.0,
}
SURENESS = {
    "meaning": 0.47,
    "meaning_alone": 2.45,
    "meaning_wide": 2.82,
    "lead": 5.85,
    "words": 0.24,
    "matter": 1.2,
    "name_absent": -0.69,
    "boilerplate": -1.5,
    "kind": 0.05,
    "wrong_year": -2.05,
    "short": -1.52,
    "title": -2.0,
    "label": 2.5,
    "time_unnamed": -0.3,
    "usual": -1.0,
    "plainly": 2.5,
    "otherwise": -1.5,
}
BIAS = -4.13


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
