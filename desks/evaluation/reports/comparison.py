"""Two runs side by side: what changed, question by question, and whether that is more than chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from uuid import UUID

from django.db.models import QuerySet

from desks.evaluation.metrics.intervals import SAME, Comparison, compare
from desks.evaluation.models import Kind, Question, Result, Run
from desks.evaluation.reports.catalogue import ALL, FOUR
from desks.evaluation.reports.summary import EVERY

SEARCH = ("relevance_at_5", "recall_at_5")  # what counts for a run that answers nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question in the newer run, and in the older one where that asked it too."""

    question: Question
    after: Result
    before: Result | None

    def change(self, metric: str) -> float | None:
        """None where either has no such score."""
        if self.before is None or metric not in self.after.scores or metric not in self.before.scores:
            return None
        return float(self.after.scores[metric]) - float(self.before.scores[metric])

    @property
    def quality(self) -> float | None:
        return quality(self.after)

    @property
    def gain(self) -> float | None:
        """Change of the quality."""
        before, after = self.qualities
        return None if after is None or before is None else after - before

    @property
    def qualities(self) -> tuple[float | None, float | None]:
        """Before and after; by the search alone where either run has measured nothing else."""
        if self.before is None:
            return None, quality(self.after)
        by_search = "searched" in (self.before.outcome, self.after.outcome)
        return quality(self.before, by_search=by_search), quality(self.after, by_search=by_search)

    @property
    def verdict(self) -> str:
        """ "better", "same", "worse"; empty where there is nothing to compare with."""
        if self.gain is None:
            return ""
        return "same" if abs(self.gain) <= SAME else "better" if self.gain > 0 else "worse"


def quality(result: Result, *, by_search: bool = False) -> float | None:
    """One figure for a question: the mean of its scores; of a no-source question, whether it was refused."""
    if result.error:
        return 0.0
    if result.question.kind == Kind.NONE:
        return result.scores.get("refused")
    by_search = by_search or "completeness" not in result.scores
    names = SEARCH if by_search else [metric.name for metric in FOUR]
    values = [float(result.scores[name]) for name in names if name in result.scores]
    return fmean(values) if values else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """`rows` are of all questions of the newer run. `tests`: {kind or "all": {metric: Comparison}}."""

    after: Run
    before: Run | None
    rows: Sequence[Row]
    tests: Mapping[str, Mapping[str, Comparison]]

    def count(self, verdict: str) -> int:
        return sum(row.verdict == verdict for row in self.rows)

    @property
    def quality(self) -> Comparison:
        return _tested([row.qualities for row in self.rows if row.before])


def compared(after: Run, before: Run | None) -> RunComparison:
    """By the questions that both have asked, in the same wording."""
    theirs = {result.question_id: result for result in _results(before)} if before else {}
    rows = [
        Row(question=result.question, after=result, before=theirs.get(result.question_id))
        for result in _results(after)
    ]
    kinds = {EVERY: rows, **{kind.value: [row for row in rows if row.question.kind == kind] for kind in Kind}}
    return RunComparison(
        after=after,
        before=before,
        rows=rows,
        tests={kind: _tests(some) for kind, some in kinds.items()} if before else {},
    )


def _results(run: Run) -> list[Result]:
    rows = run.question_results.select_related("question").order_by("question")
    return list(rows.defer("passages", "trace", "citations", "answer", "legs"))


def _tests(rows: Sequence[Row]) -> dict[str, Comparison]:
    told = {}
    for metric in ALL:
        pairs = [
            (row.before.scores[metric.name], row.after.scores[metric.name])
            for row in rows
            if row.before and metric.name in row.before.scores and metric.name in row.after.scores
        ]
        if pairs:
            told[metric.name] = _tested(pairs)
    return told


def _tested(pairs: Sequence[tuple[float | None, float | None]]) -> Comparison:
    known = [(old, new) for old, new in pairs if old is not None and new is not None]
    return compare([old for old, _ in known], [new for _, new in known])


def history(run: Run, key: UUID, most: int = 8) -> list[tuple[Run, Result]]:
    """The last results of one question, in whatever wording, up to this run; the oldest first. Of runs that
    answered, or of those that searched alone, as this one.
    """
    rows = Result.objects.filter(
        run__question_set=run.question_set_id,
        run__number__lte=run.number,
        question__key=key,
        run__frozen__answers=run.frozen["answers"],
    )
    newest = list(rows.select_related("run", "question").order_by("-run__number")[:most])
    return [(result.run, result) for result in reversed(newest)]


def runs_of_set(run: Run, most: int = 12) -> list[Run]:
    """The runs of the same set that have results, the newest first."""
    return list(_with_results(run).order_by("-number")[:most])


def runs_alike(run: Run, most: int = 8) -> list[Run]:
    """Those of them that answer in the same way, up to this one: the oldest first."""
    alike = _with_results(run).filter(variant=run.variant, number__lte=run.number)
    return list(reversed(alike.order_by("-number")[:most]))


def _with_results(run: Run) -> QuerySet[Run]:
    return Run.objects.filter(question_set=run.question_set_id, question_results__isnull=False).distinct()
