"""How much each process grew, and whether any queue did."""

import statistics
from collections.abc import Sequence
from typing import Any

from benchmarks.soak.sampling import Sample


def of(samples: Sequence[Sample]) -> dict[str, Any]:
    """By process: megabytes in the middle and the last third of the run, their ratio; files and threads."""
    third = len(samples) // 3
    middle, last = samples[third : 2 * third], samples[2 * third :]
    names = sorted({name for sample in samples for name in sample.memory})
    figures: dict[str, Any] = {}
    for name in names:
        before, after = mean(middle, name, "memory"), mean(last, name, "memory")
        most = max(sample.memory.get(name, 0) for sample in samples)
        if not before or not after:
            figures[name] = f"at times, {most:.0f} MB at the most"
            continue
        figures[name] = (
            f"{before:.0f} MB, then {after:.0f} MB: growth {after / before - 1:+.1%}, at most {most:.0f} MB;"
            f" open files {mean(middle, name, 'files'):.0f}, then {mean(last, name, 'files'):.0f};"
            f" threads {mean(middle, name, 'threads'):.0f}, then {mean(last, name, 'threads'):.0f}"
        )
    for queue in sorted({queue for sample in samples for queue in sample.queues}):
        longest = max(sample.queues.get(queue, 0) for sample in samples)
        figures[f"queue {queue}"] = (
            f"{mean(middle, queue, 'queues'):.1f} jobs, then {mean(last, queue, 'queues'):.1f};"
            f" {longest} at the most"
        )
    return figures


def mean(samples: Sequence[Sample], name: str, kind: str) -> float:
    values = [getattr(sample, kind).get(name, 0 if kind == "queues" else None) for sample in samples]
    present = [value for value in values if value is not None]
    return statistics.fmean(present) if present else 0.0
