"""Which examples are learned from, in which order: blocks that follow from the seed alone, so that a run
that was cut off goes on where it was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tools.train_reader.examples import ANSWERS, SUPPORTS, Example
from tools.train_reader.made import claim_of, varied

BLOCK = 2048  # examples


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """sets: examples by set. supports: the share of claims; claims_made: how many of these code makes."""

    sets: Mapping[str, Sequence[Example]]
    seed: int
    supports: float = 0.2
    claims_made: float = 0.15

    def block(self, number: int) -> list[Example]:
        """BLOCK examples, each varied in its own way."""
        random = Random(f"{self.seed} {number}")
        answers, claims = _weights(ANSWERS, self.sets), _weights(SUPPORTS, self.sets)
        shown: list[Example] = []
        while len(shown) < BLOCK:
            if random.random() >= self.supports or not claims:
                example = self._any(answers, random)
                foreign = random.choice(self._any(answers, random).sentences)
                shown.append(varied(example, foreign, random))
            elif random.random() >= self.claims_made:
                shown.append(self._any(claims, random))
            elif made := claim_of(random.choice(self._any(answers, random).sentences), random):
                shown.append(made)
        return shown

    def _any(self, weights: Mapping[str, float], random: Random) -> Example:
        name = random.choices(list(weights), list(weights.values()))[0]
        return random.choice(self.sets[name])


def _weights(weights: Mapping[str, float], sets: Mapping[str, Sequence[Example]]) -> dict[str, float]:
    return {name: weight for name, weight in weights.items() if sets.get(name)}
