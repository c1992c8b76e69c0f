"""A datasource out as a bundle and in again: ten reports, then grown to 100,000 passages.

    SVQ_BENCH_REPORTS=data-folder python -m benchmarks bundle

The data folder of a host that is stopped and has a datasource "Reports"; a copy of it is used. Beside it the
same rows by COPY in Postgres's binary form, out to a file and nothing else, as the floor.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datasources.models import Datasource

ROOT = Path(__file__).resolve().parent.parent
NAME = "Reports"
STEPS = ("reports", "passages_100k")


def run() -> dict[str, Any]:
    given = os.environ.get("SVQ_BENCH_REPORTS")
    if not given:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(given, f"{folder}/data", ignore=shutil.ignore_patterns("postgres.lock"))
        around = os.environ | {"SVQ_DATA_DIR": f"{folder}/data"}
        return {step: _figures(step, folder, around) for step in STEPS}


def _figures(step: str, folder: str, around: dict[str, str]) -> dict[str, Any]:
    """Each in a process of its own, so that its memory is told apart."""
    if step == "passages_100k":
        _shell("from benchmarks.bundle import grow; grow()", around)
    told: dict[str, Any] = {}
    for part in ("copy", "out", "into"):
        code = f"from benchmarks import bundle; bundle.measured(bundle.{part}, {f'{folder}/bundle.zip'!r})"
        told |= json.loads(_shell(code, around).splitlines()[-1])
    print(step, told, flush=True)
    return told | {"out_over_copy": round(told["out_seconds"] / told["copy_seconds"], 1)}


def _shell(code: str, around: dict[str, str]) -> str:
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=around, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def measured(part: Callable[["Datasource", Path], dict[str, Any]], path: str) -> None:
    from datasources.models import Datasource

    datasource = Datasource.objects.get(name=NAME)
    idle = _megabytes()
    begun = time.perf_counter()
    figures = part(datasource, Path(path))
    seconds = round(time.perf_counter() - begun, 1)
    name = part.__name__
    grown = {f"{name}_seconds": seconds, f"{name}_more_memory_mb": _megabytes() - idle}
    print(json.dumps(figures | grown))


def grow() -> None:
    """The copies have the originals of what they copy, as passages of a shared file do."""
    from django.db import transaction

    from benchmarks import large_datasource
    from sql import rows

    with transaction.atomic():
        rows("SET CONSTRAINTS ALL IMMEDIATE")  # a table with checks that wait can't be altered
        large_datasource.grow(NAME)
    rows("UPDATE datasources_document SET passage = 1 WHERE title ~ ' copy [0-9]+$'")


def copy(datasource: "Datasource", path: Path) -> dict[str, Any]:
    from django.core.exceptions import EmptyResultSet
    from django.db import connection

    from exchange.bundles.contents import CARRIED, Scope

    scope = Scope(datasource=datasource.pk, person=datasource.owner_id, conversations=False)
    with connection.cursor() as cursor, path.open("wb") as file:
        for table in CARRIED:
            chosen = table.chosen(scope)
            wanted = chosen.values(*(column.attname for column in table.model._meta.local_concrete_fields))
            try:
                statement, values = wanted.query.sql_with_params()
            except EmptyResultSet:
                continue
            with cursor.copy(f"COPY ({statement}) TO STDOUT (FORMAT BINARY)", values) as rows:
                for block in rows:
                    file.write(block)
    return {"passages": datasource.chunks.count(), "copy_mb": round(path.stat().st_size / 1e6)}


def out(datasource: "Datasource", path: Path) -> dict[str, Any]:
    from exchange.bundles.exporting import export

    with path.open("wb") as file:
        for block in export(datasource, datasource.owner):
            file.write(block)
    return {"bundle_mb": round(path.stat().st_size / 1e6)}


def into(datasource: "Datasource", path: Path) -> dict[str, Any]:
    from exchange.bundles.services import take_in

    there = take_in(datasource.owner, path).datasource
    assert there
    assert there.chunks.count() == datasource.chunks.count()
    return {}


def _megabytes() -> int:
    """The most that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
