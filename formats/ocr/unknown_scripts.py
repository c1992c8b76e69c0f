"""Which lines of a page are in a script that the engine does not know, so that it makes words up. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from formats.ocr.scripts import KNOWN, NO_PRINT, names
from text.languages import language_of, small_words

ALONE = 4.5  # evidence in one line, see Seen.evidence
SURELY = 2.5  # evidence beyond which a line counts for no more
RATHER = 0.8  # the mean of a page, where none counts for more
FEWEST = 3  # lines of such a page
MOSTLY = 0.6  # of a page's lines: others that are read badly are in that script as well
USUAL_SCORE = 0.9  # of print that the engine knows, also of a poor scan; others have 0.1 to 0.85
BY_SCORE = 6.0  # what a score that is lower by one adds to the evidence
LEAST_LENGTH = 6.0  # heights of a line
MOST_FIGURES = 0.3  # of what is read
OWN_NAME = 3.0  # by which a line's own script is ahead of that of the others
SPOKEN_LETTERS, SPOKEN_WORDS = 3, 3  # so many small words with so many letters show that the engine is right

Likelihood = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A line. likelihood: of scripts.likelihood, None for a blank line. text, score: what the engine reads,
    and how sure it is, 0 to 1. length: in heights.
    """

    likelihood: Likelihood | None
    text: str
    score: float
    length: float

    @property
    def tells(self) -> bool:
        """Whether the line tells of its script: short ones do not, and figures are the same in many."""
        figures = sum(letter.isdigit() for letter in self.text)
        return (
            self.likelihood is not None
            and self.length >= LEAST_LENGTH
            and figures <= MOST_FIGURES * len(self.text)
        )

    @property
    def evidence(self) -> float:
        """That the engine does not know its script: by how it looks, and how sure the engine is."""
        return ahead(self.likelihood) + BY_SCORE * (USUAL_SCORE - self.score)


def ahead(likelihood: Likelihood | None) -> float:
    """How much likelier, as a logarithm, the best of the unknown scripts is than all others."""
    if likelihood is None:
        return -np.inf
    known = _known()
    return float(likelihood[~known].max() - np.logaddexp.reduce(likelihood[known]))


def scripts_of(lines: Sequence[Seen]) -> list[str]:
    """For each line the script that the engine does not know, "" where it does."""
    evidence = np.array([line.evidence for line in lines])
    badly = np.array([line.score for line in lines]) < USUAL_SCORE
    told = np.array([line.tells for line in lines], dtype=np.bool_)
    foreign = told & badly & (evidence >= ALONE)
    if told.sum() >= FEWEST and np.clip(evidence[told], -SURELY, SURELY).mean() >= RATHER:
        foreign |= told & (evidence > 0)
    if foreign.sum() >= MOSTLY * max(told.sum(), 1):
        foreign |= badly & np.isfinite(evidence)
    at = np.flatnonzero(foreign).tolist()
    if not at or _makes_sense(" ".join(lines[place].text for place in at)):
        return [""] * len(lines)
    seen = {place: line.likelihood for place in at if (line := lines[place]).likelihood is not None}
    most = np.sum(list(seen.values()), axis=0)
    most[_known()] = -np.inf
    found = [""] * len(lines)
    for place, likelihood in seen.items():
        own = np.where(_known(), -np.inf, likelihood)
        best = int(own.argmax())
        script = best if own[best] > own[most.argmax()] + OWN_NAME else int(most.argmax())
        found[place] = names()[script]
    return found


def _known() -> NDArray[np.bool_]:
    return np.array([name in (*KNOWN, NO_PRINT) for name in names()])


def _makes_sense(text: str) -> bool:
    """Whether it reads as a language, by words that nobody makes up by chance."""
    words = {word for word in small_words(language_of(text)) if len(word) >= SPOKEN_LETTERS}
    return sum(word in words for word in text.lower().split()) >= SPOKEN_WORDS
