"""One run in figures: each metric as a mean with its interval, in all and by kind of question."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from statistics import median
from typing import Any

from desks.evaluation.metrics.agreement import Agreement
from desks.evaluation.metrics.intervals import Interval, interval
from desks.evaluation.models import Kind, Result, Run
from desks.evaluation.reports.catalogue import ALL, FOUR
from desks.evaluation.reports.judge_check import agreed

EVERY = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """`means`: {kind or "all": {metric: Interval}}; `judged` the same by the judge, `legs` by leg.

    seconds, tokens and searches are medians of a question; money is of the whole run.
    """

    run: Run
    asked: int
    answered: int
    failed: int
    means: Mapping[str, Mapping[str, Interval]]
    judged: Mapping[str, Mapping[str, Interval]]
    legs: Mapping[str, Mapping[str, Interval]]
    outcomes: Mapping[str, int]
    seconds: float
    tokens: int
    searches: float
    money: Decimal | None
    agreement: Agreement | None

    def mean(self, metric: str, kind: str = EVERY) -> Interval | None:
        return self.means.get(kind, {}).get(metric)

    def as_json(self) -> dict[str, Any]:
        run = self.run
        return {
            "run": run.number,
            "variant": run.variant,
            "label": run.label,
            "status": run.status,
            "set": run.question_set.name,
            "version": run.version,
            "settings": run.frozen,
            "questions": self.asked,
            "answered": self.answered,
            "failed": self.failed,
            "scores": _as_json(self.means),
            "judged": _as_json(self.judged),
            "legs": _as_json(self.legs),
            "outcomes": dict(self.outcomes),
            "seconds_median": self.seconds,
            "tokens_median": self.tokens,
            "searches_median": self.searches,
            "money": None if self.money is None else str(self.money),
            "judge_agreement": asdict(self.agreement) if self.agreement else None,
        }


def _as_json(means: Mapping[str, Mapping[str, Interval]]) -> dict[str, Any]:
    return {kind: {name: asdict(told) for name, told in some.items()} for kind, some in means.items()}


def summary_of(run: Run) -> Summary:
    """Of what is there so far."""
    rows = run.question_results.select_related("question")
    results = list(rows.defer("passages", "trace", "citations", "answer"))
    by_kind = {EVERY: results, **{kind.value: [] for kind in Kind}}
    for result in results:
        by_kind[result.question.kind].append(result)
    good = [result for result in results if not result.error]
    money = [result.money for result in results if result.money is not None]
    return Summary(
        run=run,
        asked=run.questions().count(),
        answered=len(results),
        failed=len(results) - len(good),
        means={kind: means_of(some) for kind, some in by_kind.items()},
        judged={kind: _judged(some) for kind, some in by_kind.items()},
        legs=_legs(results),
        outcomes=Counter(result.outcome for result in results),
        seconds=round(median([result.seconds for result in good]), 2) if good else 0.0,
        tokens=round(median([result.tokens for result in good])) if good else 0,
        searches=median([result.searches for result in good]) if good else 0,
        money=sum(money, Decimal(0)) if money else None,
        agreement=agreed(run) if run.frozen.get("judge") else None,
    )


def means_of(results: Sequence[Result]) -> dict[str, Interval]:
    """Each metric over the questions for which it is defined; what failed is in none."""
    return {
        metric.name: told
        for metric in ALL
        if (told := interval([r.scores[metric.name] for r in results if metric.name in r.scores]))
    }


def _judged(results: Sequence[Result]) -> dict[str, Interval]:
    scores = [result.judged["scores"] for result in results if result.judged.get("scores")]
    return {
        metric.name: told
        for metric in FOUR
        if (told := interval([each[metric.name] for each in scores if metric.name in each]))
    }


def _legs(results: Sequence[Result]) -> dict[str, dict[str, Interval]]:
    values: dict[str, dict[str, list[float]]] = {}
    for result in results:
        for leg, measures in result.legs.items():
            for name, value in measures.items():
                values.setdefault(leg, {}).setdefault(name, []).append(value)
    return {
        leg: {name: told for name, listed in measures.items() if (told := interval(listed))}
        for leg, measures in values.items()
    }
