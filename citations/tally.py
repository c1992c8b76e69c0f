"""What the check says of pairs whose truth is known: how many are green, and how many red. Pure."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from citations.support import SupportCheck

VERDICTS = {
    "supported": "green",
    "facts_agree": "facts agree",
    "needs_your_eye": "your eye",
    "contradicted": "red",
}


@dataclass(slots=True, kw_only=True)
class Tally:
    """given: by truth, how often each verdict was given. spoke: by truth, how often each one objected."""

    given: dict[bool, Counter[str]] = field(default_factory=lambda: {True: Counter(), False: Counter()})
    spoke: dict[bool, Counter[str]] = field(default_factory=lambda: {True: Counter(), False: Counter()})

    def add(self, is_true: bool, check: SupportCheck) -> None:
        self.given[is_true][check.support] += 1
        self.spoke[is_true].update(each.name for each in check.checks if not each.passed)

    def total(self, is_true: bool) -> int:
        return self.given[is_true].total()

    def share(self, is_true: bool, verdict: str) -> float:
        """Of 0 to 1; 0 where there are no such pairs."""
        return self.given[is_true][verdict] / max(1, self.total(is_true))

    @property
    def red_precision(self) -> float:
        """The share of red pairs that are false; 1 where none is red."""
        wrong, right = (self.given[is_true]["contradicted"] for is_true in (True, False))
        return right / (right + wrong) if right + wrong else 1.0

    def lines(self) -> Iterator[tuple[str, str]]:
        """Each verdict with its shares of the true and of the false pairs."""
        for verdict, words in VERDICTS.items():
            shares = ", ".join(
                f"{100 * self.share(is_true, verdict):.1f} % of {self.total(is_true)} {name}"
                for is_true, name in ((True, "true"), (False, "false"))
                if self.total(is_true)
            )
            yield words, shares
        reds = sum(self.given[is_true]["contradicted"] for is_true in (True, False))
        yield "red that is right", f"{100 * self.red_precision:.1f} % of {reds}"

    def comparisons(self) -> Iterator[tuple[str, str]]:
        """How often each comparison objected to true and to false pairs."""
        for name in sorted(set(self.spoke[True]) | set(self.spoke[False])):
            yield name, f"{self.spoke[True][name]} true, {self.spoke[False][name]} false"
