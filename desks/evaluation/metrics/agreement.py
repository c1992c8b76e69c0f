"""How far two opinions on the same statements agree: their share with its interval, and Cohen's kappa."""

from collections.abc import Sequence
from dataclasses import dataclass

from desks.evaluation.metrics.intervals import CONFIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """`low` and `high` bound the share (Clopper-Pearson). `kappa` is None where either has one opinion only:
    then chance alone would make them agree.
    """

    n: int
    agreed: int
    low: float
    high: float
    kappa: float | None

    @property
    def share(self) -> float:
        return self.agreed / self.n


def agreement(pairs: Sequence[tuple[bool, bool]]) -> Agreement | None:
    """Of two opinions on each statement; None without a statement."""
    n = len(pairs)
    if not n:
        return None
    agreed = sum(one == other for one, other in pairs)
    from scipy import stats  # here for the reason given in intervals

    bounds = stats.binomtest(agreed, n).proportion_ci(CONFIDENCE)
    return Agreement(
        n=n, agreed=agreed, low=float(bounds.low), high=float(bounds.high), kappa=_kappa(pairs, agreed / n)
    )


def _kappa(pairs: Sequence[tuple[bool, bool]], observed: float) -> float | None:
    ours, theirs = (sum(opinions) / len(pairs) for opinions in zip(*pairs, strict=True))
    by_chance = ours * theirs + (1 - ours) * (1 - theirs)
    one_opinion = ours in (0.0, 1.0) or theirs in (0.0, 1.0)
    return None if one_opinion else (observed - by_chance) / (1 - by_chance)
