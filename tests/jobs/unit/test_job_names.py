"""Hosts are upgraded one after the other, over one queue: a job is called as the version before calls it."""

from pathlib import Path

from procrastinate.contrib.django import app

from tests.desks import WITH_ALL

KEPT = Path(__file__).parent.parent / "job_names.txt"


@WITH_ALL
def test_each_job_is_called_as_before() -> None:
    app.perform_import_paths()
    kept = KEPT.read_text().split()
    assert kept == sorted(set(kept))
    # Those of the queue itself, and of other tests, are there or not.
    now = {
        task.name
        for task in app.tasks.values()
        if not task.name.startswith("builtin:") and not task.func.__module__.startswith("tests.")
    }
    gone, new = set(kept) - now, now - set(kept)
    assert not gone, (
        f"the version before has queued these: keep their name (`name=`), or what does them: {gone}"
    )
    assert not new, f"add these to {KEPT}: from then on they keep their name: {new}"
