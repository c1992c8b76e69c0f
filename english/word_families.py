"""Words that are made of one another by an ending: "payment" of "pay", "liability" of "liable". Pure."""

from collections.abc import Collection
from functools import lru_cache

from text.stems import KEPT
from text.word_lists import words

# The ending of a stem, what stands in its place, and the letters that are left of it at least.
_ENDINGS = (
    ("abil", "abl", 3),
    ("ibil", "ibl", 3),
    ("ment", "", 3),
    ("abl", "", 3),
    ("anc", "", 4),
    ("enc", "", 4),
    ("al", "", 4),
    ("eri", "", 4),
    ("iri", "ir", 4),
)
_OTHERS = words("statement department apartment compartment document moment element basement several liter")


@lru_cache(maxsize=KEPT)
def base(stem: str) -> str:
    """What is left of a stem without an ending that makes a noun or an adjective of it; itself without."""
    if stem in _OTHERS:
        return stem
    for ending, instead, shortest in _ENDINGS:
        left = stem.removesuffix(ending) + instead
        if stem.endswith(ending) and len(left) >= shortest:
            return base(left) if instead else left
    return stem


def family(stem: str, known: Collection[str]) -> frozenset[str]:
    """The stem, and those of the known ones that are made of the same word."""
    own = base(stem)
    return frozenset({stem, *(other for other in known if other[:1] == stem[:1] and base(other) == own)})
