"""A run as plain text, for terminals."""

from desks.evaluation.metrics.intervals import Interval
from desks.evaluation.models import Kind
from desks.evaluation.reports.catalogue import ALL
from desks.evaluation.reports.summary import EVERY, Summary

COLUMNS = (EVERY, *Kind.values)


def text_report(summary: Summary) -> str:
    """A table of means with their intervals; a dash where a metric is not defined."""
    run = summary.run
    head = f"{run}: {run.label}; “{run.question_set.name}” version {run.version}, {summary.asked} questions"
    names = ["", "All", *(str(Kind(kind).label) for kind in Kind.values)]
    lines = [head, "".join(f"{name:<26}" if not at else f"{name:>20}" for at, name in enumerate(names))]
    for metric in ALL:
        cells = [shown(summary.mean(metric.name, kind)) for kind in COLUMNS]
        if any(cell != "-" for cell in cells):
            lines.append(f"{metric.short:<26}" + "".join(f"{cell:>20}" for cell in cells))
    lines.append(
        f"Median per question: {summary.seconds:g} s, {summary.searches:g} searches, "
        f"{summary.tokens:,} tokens"
    )
    if told_by := summary.agreement:
        kappa = "" if told_by.kappa is None else f", kappa {told_by.kappa:.2f}"
        bounds = f"{told_by.low:.2f} to {told_by.high:.2f}"
        lines.append(f"People agree with the judge on {told_by.agreed} of {told_by.n} ({bounds}){kappa}.")
    if summary.failed:
        noun = "question" if summary.failed == 1 else "questions"
        lines.append(f"{summary.failed} {noun} could not be answered.")
    return "\n".join(lines)


def shown(value: Interval | None) -> str:
    """ ".53 (.41 to .64)"."""
    return "-" if value is None else f"{value.mean:.2f} ({value.low:.2f} to {value.high:.2f})"
