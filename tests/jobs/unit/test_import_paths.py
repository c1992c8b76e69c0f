"""A worker knows every job: the modules that it loads are all those that have one."""

import re
from pathlib import Path

from django.apps import apps
from django.conf import settings

A_TASK = re.compile(r"^@(?:\w+\.)+(?:task|periodic)\(", re.MULTILINE)


def test_each_module_with_a_job_is_loaded_by_workers() -> None:
    here = [each for each in apps.get_app_configs() if Path(each.path).is_relative_to(settings.BASE_DIR)]
    roots = {each.name.partition(".")[0] for each in here if ".venv" not in each.path}
    with_jobs = [
        ".".join(file.relative_to(settings.BASE_DIR).with_suffix("").parts)
        for root in roots
        for file in (settings.BASE_DIR / root).rglob("*.py")
        if A_TASK.search(file.read_text(encoding="utf-8"))
    ]
    assert sorted(with_jobs) == settings.PROCRASTINATE_IMPORT_PATHS
