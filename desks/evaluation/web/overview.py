"""What the evaluation page shows: the chosen run, the one it is compared with, their rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from datasources.models import Datasource
from datasources.numbers import number_in
from desks.evaluation.metrics.intervals import Comparison, Interval
from desks.evaluation.models import Kind, Run
from desks.evaluation.reports.catalogue import ALL, RETRIEVAL, Metric, shown_first
from desks.evaluation.reports.comparison import Row, RunComparison, compared, runs_alike, runs_of_set
from desks.evaluation.reports.points import Point, points_of
from desks.evaluation.reports.summary import EVERY, Summary, summary_of
from desks.evaluation.web import charts
from desks.evaluation.web.headline import beginning_of
from desks.evaluation.web.settings_in_words import settings_of

SHOWN = 100  # rows of questions; the others are a filter away
FILTERS = ("all", "worse", "better", "same", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One of the four metrics: its mean, the change, each kind of question, the last runs of this way."""

    metric: Metric
    now: Interval | None
    test: Comparison | None
    judged: Interval | None
    kinds: SafeString
    trend: SafeString
    rows: list[tuple[str, Interval | None, Interval | None]]

    @property
    def signed(self) -> str:
        return charts.signed(self.test.difference) if self.test else ""

    @property
    def way(self) -> str:
        """The class of the change; none where it is not sure."""
        return charts.way(self.test.difference) if self.test and self.test.is_sure else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A score of one question, in tenths for its colour, and the change."""

    label: str
    value: float | None
    change: float | None

    @property
    def tenth(self) -> int:
        return round((self.value or 0) * 10)

    @property
    def signed(self) -> str:
        return "" if self.change is None else charts.signed(self.change)

    @property
    def way(self) -> str:
        return "" if self.change is None else charts.way(self.change)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A line of the table under the cards."""

    metric: Metric
    now: Interval | None
    before: Interval | None
    test: Comparison | None
    kinds: list[Interval | None]


def chosen_runs(datasource: Datasource, query: Mapping[str, Any]) -> tuple[Run | None, Run | None]:
    """?run= and ?against= by number; untold, the newest and the one before it of the same set, which has
    answered as well, or searched alone as well.
    """
    runs = Run.objects.filter(datasource=datasource).select_related("question_set", "datasource")
    number = number_in(query.get("run"))
    run = runs.filter(number=number).first() if number else runs.first()
    if run is None:
        return None, None
    if query.get("against") == "none":
        return run, None
    other = number_in(query.get("against"))
    if other:
        return run, runs.filter(number=other).exclude(pk=run.pk).first()
    earlier = runs.filter(
        question_set=run.question_set, number__lt=run.number, frozen__answers=run.frozen["answers"]
    )
    return run, earlier.filter(question_results__isnull=False).distinct().first()


def context_of(
    run: Run, against: Run | None, query: Mapping[str, Any], most: int | None = SHOWN
) -> dict[str, Any]:
    """`most`: so many questions of the list; None is all of them."""
    now, before = summary_of(run), summary_of(against) if against else None
    told = compared(run, against)
    points, trend = points_of(runs_of_set(run)), points_of(runs_alike(run))
    four = shown_first(run, against)
    shown = query.get("show") if query.get("show") in FILTERS else "all"
    words = str(query.get("q", ""))[:200]
    rows = _filtered(told, str(shown), words)
    others = Run.objects.filter(datasource=run.datasource_id).select_related("question_set")
    return {
        "run": run,
        "beginning": beginning_of(run, against, told.rows),
        "is_unfolded": any(name in query for name in ("show", "q")),
        "against": against,
        "summary": now,
        "before": before,
        "told": told,
        "counts": [
            ("better", told.count("better"), _("Better")),
            ("same", told.count("same"), _("Same")),
            ("worse", told.count("worse"), _("Worse")),
        ],
        "cards": [_card(metric, now, before, told, trend) for metric in four],
        "measures": [
            line
            for metric in ALL
            if metric not in four
            and ((line := _measure(metric, now, before, told)).now is not None or line.before is not None)
        ],
        "legs": [(leg, [means.get(metric.name) for metric in RETRIEVAL]) for leg, means in now.legs.items()],
        "retrieval": RETRIEVAL,
        "kinds": list(Kind),
        "four": four,
        "swarm": charts.swarm(told.rows, [(m.name, _(m.label)) for m in four]) if against else "",
        "scatter": charts.scatter(points, run.pk, against.pk if against else None),
        "scatter_money": charts.scatter(points, run.pk, against.pk if against else None, by_money=True),
        "points": points,
        "rows": [(row, [_cell(row, metric) for metric in four]) for row in rows[:most]],
        "more_rows": len(rows[most:]) if most else 0,
        "shown": shown,
        "agreement": now.agreement,
        "words": words,
        "failed": sum(bool(row.after.error) for row in told.rows),
        "choices": list(others[:60]),
        "settings": settings_of(run),
    }


def _filtered(told: RunComparison, shown: str, words: str) -> list[Row]:
    rows = [
        row
        for row in told.rows
        if (shown == "all" or row.verdict == shown or (shown == "failed" and row.after.error))
        and words.lower() in row.question.text.lower()
    ]
    return sorted(
        rows, key=lambda row: (row.gain if row.gain is not None else row.quality or 0.0, row.question.pk)
    )


def _cell(row: Row, metric: Metric) -> Cell:
    value = row.after.scores.get(metric.name)
    return Cell(label=_(metric.short), value=value, change=row.change(metric.name))


def _card(
    metric: Metric, now: Summary, before: Summary | None, told: RunComparison, trend: list[Point]
) -> Card:
    def mean(summary: Summary | None, kind: Kind) -> float | None:
        told = summary.mean(metric.name, kind.value) if summary and kind in metric.kinds else None
        return told.mean if told else None

    lines = [
        charts.Pair(kind=kind, after=mean(now, kind), before=mean(before, kind)) for kind in charts.KINDS
    ]
    return Card(
        metric=metric,
        now=now.mean(metric.name),
        test=told.tests.get(EVERY, {}).get(metric.name),
        judged=now.judged.get(EVERY, {}).get(metric.name),
        kinds=charts.pairs(_(metric.label), lines),
        trend=charts.sparkline(
            _(metric.label), [point.means[metric.name] for point in trend if metric.name in point.means]
        ),
        rows=[
            (
                str(kind.label),
                now.mean(metric.name, kind.value) if kind in metric.kinds else None,
                before.mean(metric.name, kind.value) if before and kind in metric.kinds else None,
            )
            for kind in Kind
        ],
    )


def _measure(metric: Metric, now: Summary, before: Summary | None, told: RunComparison) -> Measure:
    return Measure(
        metric=metric,
        now=now.mean(metric.name),
        before=before.mean(metric.name) if before else None,
        test=told.tests.get(EVERY, {}).get(metric.name),
        kinds=[now.mean(metric.name, kind.value) for kind in Kind],
    )
