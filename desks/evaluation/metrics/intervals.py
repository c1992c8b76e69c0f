"""How sure a mean is, and whether two runs differ: bootstrap intervals and a paired test, both of scipy.

Functions import scipy themselves: it costs 65 MB and half a second, and every process loads this module.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

CONFIDENCE = 0.95
RESAMPLES = 2000
SEED = 20240711  # the same figures for the same answers
SURE = 0.05  # p-value below which a difference is called one
SMALLEST_TOLD = 0.005  # of a difference, which has two digits
MANY = 500  # questions: from here on means are normal, and resampling them would hold up a page
SAME = 0.005  # a smaller change of one question is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean of `n` values between 0 and 1, and the bounds that hold it in 95 of 100 such samples."""

    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Of the same questions in two runs: positive is better than before."""

    n: int
    difference: float
    low: float
    high: float
    p: float
    better: int
    same: int
    worse: int

    @property
    def is_sure(self) -> bool:
        return self.p < SURE

    @property
    def words(self) -> str:
        """What the figures allow to say."""
        if not self.n:
            return _("no question in common")
        if not self.is_sure:
            none = ngettext(
                "no difference that {n} question could show",
                "no difference that {n} questions could show",
                self.n,
            )
            return none.format(n=self.n)
        is_better = self.difference > 0
        if abs(self.difference) < SMALLEST_TOLD:
            small = _("better by less than {least}") if is_better else _("worse by less than {least}")
            return small.format(least=SMALLEST_TOLD)
        words = (
            _("better by {size}, between {bounds}") if is_better else _("worse by {size}, between {bounds}")
        )
        return words.format(size=f"{abs(self.difference):.2f}", bounds=_bounds(self))

    @property
    def measured(self) -> str:
        """The same for researchers."""
        if not self.n or not self.is_sure:
            return self.words
        told = _("{difference} (p {p}, {n} questions)")
        return told.format(difference=self.words, p=_p(self.p), n=self.n)


def interval(values: Sequence[float]) -> Interval | None:
    """None without a value. Where all are the same, nothing can be resampled: then the exact bounds of a
    share are given, so that five right answers, or a single one, do not look like certainty.
    """
    n = len(values)
    if not n:
        return None
    sample = np.sort(np.asarray(values, dtype=float))  # the same figures, whatever the order
    mean = float(sample.mean())
    if sample[0] == sample[-1]:
        low, high = _exact(mean, n)
        return Interval(n=n, mean=mean, low=low, high=high)
    low, high = _resampled(sample)
    return Interval(n=n, mean=mean, low=low, high=high)


def _exact(share: float, n: int) -> tuple[float, float]:
    """The bounds of Clopper and Pearson, also for a share between two whole numbers of n."""
    from scipy.special import betaincinv  # loaded in a quarter of the time of scipy.stats

    tail, held = (1 - CONFIDENCE) / 2, share * n
    low = betaincinv(held, n - held + 1, tail) if held > 0 else 0.0
    high = betaincinv(held + 1, n - held, 1 - tail) if held < n else 1.0
    return float(low), float(high)


def compare(before: Sequence[float], after: Sequence[float]) -> Comparison:
    """Two values a question, in the same order; a permutation test of the mean. Raises ValueError."""
    changes = np.sort(np.asarray(after, dtype=float) - np.asarray(before, dtype=float))
    if len(before) != len(after):
        raise ValueError("Two runs are compared by the questions that they have in common.")
    changes[np.abs(changes) <= SAME] = 0.0  # else what is called the same would make a difference sure
    better, worse = int((changes > 0).sum()), int((changes < 0).sum())
    counts = {"better": better, "worse": worse, "same": len(changes) - better - worse}
    if not len(changes) or not changes.any():
        return Comparison(n=len(changes), difference=0.0, low=0.0, high=0.0, p=1.0, **counts)
    if len(changes) == 1:  # nothing can be permuted: one question shows nothing
        only = float(changes[0])
        return Comparison(n=1, difference=only, low=only, high=only, p=1.0, **counts)
    low, high = _resampled(changes)
    return Comparison(
        n=len(changes), difference=float(changes.mean()), low=low, high=high, p=_p_value(changes), **counts
    )


def _p_value(changes: np.ndarray) -> float:
    """Of changes by chance alone; of many by the t-test, which then says the same in no time."""
    from scipy import stats

    if len(changes) >= MANY and changes[0] != changes[-1]:
        return float(stats.ttest_1samp(changes, 0.0).pvalue)
    told = stats.permutation_test(
        (changes,),
        np.mean,
        permutation_type="samples",
        n_resamples=RESAMPLES * 2,
        vectorized=True,
        rng=np.random.default_rng(SEED),
    )
    return float(told.pvalue)


def _resampled(values: np.ndarray) -> tuple[float, float]:
    """The bounds of the mean of sorted values."""
    if values[0] == values[-1]:
        return float(values[0]), float(values[0])
    from scipy import stats

    if len(values) >= MANY:
        half = stats.norm.ppf((1 + CONFIDENCE) / 2) * values.std(ddof=1) / np.sqrt(len(values))
        return max(float(values[0]), float(values.mean() - half)), min(
            float(values[-1]), float(values.mean() + half)
        )
    bounds = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return float(bounds.low), float(bounds.high)


def _bounds(told: Comparison) -> str:
    low, high = sorted((abs(told.low), abs(told.high)))
    low = 0.0 if told.low < 0 < told.high else low  # the test and the bootstrap may differ by a hair
    return f"{low:.2f} and {high:.2f}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"
