"""Tests an entailment model with obvious pairs: whether its outputs mean what their names say, and what they
mean if they have no names.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from providers.local_models.configuration import CONTRADICTS, ENTAILS, NEITHER

NOT_ENTAILED = "not_entailment"  # the other name of two

# A quote and a claim each: claims that follow, claims that are denied, and claims about other things.
PAIRS: Mapping[str, Sequence[tuple[str, str]]] = {
    ENTAILS: (
        ("The tenant pays the rent.", "The tenant pays the rent."),
        ("The company was founded in Berlin in 1998.", "The company was founded in 1998."),
        ("Two men are playing chess in the park.", "Two men are playing a game outdoors."),
    ),
    CONTRADICTS: (
        ("The tenant pays the rent.", "The tenant does not pay the rent."),
        ("The fee is 500 dollars a month.", "The fee is 900 dollars a month."),
        ("Two men are playing chess in the park.", "Nobody is in the park."),
    ),
    NEITHER: (
        ("The tenant pays the rent.", "The cat sleeps on the sofa."),
        ("The company was founded in Berlin in 1998.", "The bridge was closed for repairs."),
        ("Two men are playing chess in the park.", "The two men have known each other since school."),
    ),
}
ALL = [pair for pairs in PAIRS.values() for pair in pairs]


def doubt(outputs: NDArray[np.float32], labels: Sequence[str]) -> str:
    """A sentence if the outputs for ALL (pairs, outputs) do not mean what the labels say; else ""."""
    most = _most(outputs)
    entails = labels.index(ENTAILS)
    follow = sum(place == entails for place in most[ENTAILS])
    others = [place == entails for kind in (CONTRADICTS, NEITHER) for place in most[kind]]
    if follow > len(most[ENTAILS]) / 2 and not any(others):
        return ""
    return (
        f"Of {len(most[ENTAILS])} plain English pairs whose claim follows, it recognises {follow}; of "
        f"{len(others)} others, it takes {sum(others)} for such pairs. It is made for something else, or "
        "config.json names its outputs in the wrong order."
    )


def labels_of(outputs: NDArray[np.float32]) -> tuple[str, ...]:
    """What the outputs mean, if each kind of pair has its own output; else ()."""
    most = _most(outputs)
    places = {
        kind: found.pop() for kind, found in ((kind, set(most[kind])) for kind in PAIRS) if len(found) == 1
    }
    if (
        outputs.shape[1] == 2
        and ENTAILS in places
        and places[ENTAILS] not in {*most[CONTRADICTS], *most[NEITHER]}
    ):
        return (ENTAILS, NOT_ENTAILED) if places[ENTAILS] == 0 else (NOT_ENTAILED, ENTAILS)
    if outputs.shape[1] == 3 and len(set(places.values())) == 3:
        return tuple(sorted(places, key=lambda kind: places[kind]))
    return ()


def _most(outputs: NDArray[np.float32]) -> dict[str, list[int]]:
    """The place of the largest output for each pair, by the kind of the pair."""
    places = iter(outputs.argmax(axis=1).tolist())
    return {kind: [next(places) for _ in pairs] for kind, pairs in PAIRS.items()}
