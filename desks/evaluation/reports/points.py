"""Runs as points: their quality, and what a question took of time and money."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from desks.evaluation.models import Result, Run
from desks.evaluation.reports.catalogue import ALL
from desks.evaluation.reports.comparison import quality


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """`seconds` is the median of a question, `money` the mean; None while no price is known."""

    run: Run
    quality: float
    seconds: float
    money: float | None
    means: dict[str, float]  # of each metric that was measured


def points_of(runs: Sequence[Run]) -> list[Point]:
    """In the order of the runs; those without a result are left out."""
    by_run: dict[int, list[Result]] = defaultdict(list)
    rows = Result.objects.filter(run__in=runs).select_related("question")
    for result in rows.defer("passages", "trace", "citations", "answer", "legs", "judged"):
        by_run[result.run_id].append(result)
    points = []
    for run in runs:
        results = by_run[run.pk]
        values = [value for result in results if (value := quality(result)) is not None]
        if values:
            money = [float(result.money) for result in results if result.money is not None]
            points.append(
                Point(
                    run=run,
                    quality=fmean(values),
                    seconds=median(result.seconds for result in results),
                    money=fmean(money) if money else None,
                    means={
                        metric.name: fmean(known)
                        for metric in ALL
                        if (known := [r.scores[metric.name] for r in results if metric.name in r.scores])
                    },
                )
            )
    return points
