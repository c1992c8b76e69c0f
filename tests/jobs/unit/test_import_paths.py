"""A worker knows every job: the modules that it loads are all those that have one."""

import re
from pathlib import Path

from django.apps import apps
from django.conf import settings

A_TASK = re.compile(r"^@(?:\w+\.)+(?:task|periodic)\(", re.MULTILINE)


def test_each_module_with_a_job_is_loaded_by_workers() -> None:
    with_jobs = []
    for app in apps.get_app_configs():
        if not Path(app.path).is_relative_to(settings.BASE_DIR) or ".venv" in app.path:
            continue
        for file in Path(app.path).rglob("*.py"):
            if A_TASK.search(file.read_text(encoding="utf-8")):
                with_jobs.append(".".join(file.relative_to(settings.BASE_DIR).with_suffix("").parts))
    assert sorted(with_jobs) == settings.PROCRASTINATE_IMPORT_PATHS
