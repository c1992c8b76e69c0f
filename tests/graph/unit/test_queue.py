"""Jobs are queued by name: each name is that of a job."""

import re
from pathlib import Path

from procrastinate.contrib.django import app

from graph.aggregate import queue


def test_every_job_that_is_queued_by_name_exists() -> None:
    names = re.findall(r'"(graph\.tasks\.\w+)"', Path(queue.__file__).read_text(encoding="utf-8"))
    app.perform_import_paths()
    assert len(names) == 4
    assert set(names) <= set(app.tasks)
