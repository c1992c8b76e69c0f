"""What has become worse from one run to the next, in sentences, for runs that nobody is waiting for."""

from desks.evaluation.models import Kind, Run, RunStatus
from desks.evaluation.reports.catalogue import BY_NAME, FOUR, REFUSED
from desks.evaluation.reports.comparison import compared
from desks.evaluation.reports.summary import EVERY, summary_of
from desks.evaluation.reports.thresholds import Threshold, failures

WATCHED = (*((metric, EVERY) for metric in FOUR), (BY_NAME["recall_at_5"], EVERY), (REFUSED, Kind.NONE.value))


def fallen(run: Run, thresholds: list[Threshold]) -> list[str]:
    """Thresholds that it does not reach, and what is surely worse than in the last such run before it."""
    lines = failures(summary_of(run), thresholds)
    before = run_before(run)
    if before is None:
        return lines
    tests = compared(run, before).tests
    for metric, kind in WATCHED:
        test = tests.get(kind, {}).get(metric.name)
        if test and test.is_sure and test.difference < 0:
            lines.append(f"{metric.label} is {test.measured}, against {before}.")
    return lines


def run_before(run: Run) -> Run | None:
    """The last one that has asked the same set in the same way to its end."""
    alike = Run.objects.filter(
        question_set=run.question_set_id, variant=run.variant, status=RunStatus.DONE, number__lt=run.number
    )
    return alike.order_by("-number").first()
