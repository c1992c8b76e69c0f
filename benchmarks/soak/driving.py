"""Runs inside `manage.py shell` of the SVQ under load, and makes the person who loads it."""

import dataclasses
import json
import statistics
import time
from pathlib import Path
from typing import Any

import psutil

from benchmarks.soak.load import Load
from benchmarks.soak.sampling import sample

DOCUMENTS = 15
STREAMS = 10
PATIENCE = 300  # seconds for the queues to become empty after the load


def drive(base: str, benchmark: int, minutes: float, every: float, samples: str, slower: float = 1) -> None:
    """Prints the counts as JSON. benchmark: the number of the process that started `up`."""
    from accounts.api_tokens import make_token
    from accounts.models import TokenScope, User
    from datasources.models import Datasource
    from tests.people import browser_of

    person = User.objects.get(is_superuser=True)
    datasource = Datasource.objects.create(owner=person, name="Load")
    token = make_token(person, name="soak", scopes=list(TokenScope), datasource_ids=None, days=2)[1]
    cookie = browser_of(person).cookies["sessionid"].value
    load = Load(base, token, cookie, datasource.pk, DOCUMENTS, slower)
    up = next(p for p in psutil.Process(benchmark).children() if "up" in p.cmdline())
    load.start(STREAMS)
    begun = time.monotonic()
    with Path(samples).open("w") as file:
        while time.monotonic() - begun < minutes * 60:
            file.write(json.dumps(dataclasses.asdict(sample(up.pid, begun))) + "\n")
            file.flush()
            time.sleep(every)
        load.stop()
        left = until_empty(up.pid, begun, every, file)
    print(json.dumps(told(load, minutes) | {"jobs left after the load": left} | states(datasource)))


def until_empty(up: int, begun: float, every: float, file: Any) -> int:
    """Jobs that are left when the queues are empty or nobody waits any more."""
    end = time.monotonic() + PATIENCE
    while True:
        taken = sample(up, begun)
        file.write(json.dumps(dataclasses.asdict(taken)) + "\n")
        left = sum(number for queue, number in taken.queues.items() if queue != "upkeep")
        if not left or time.monotonic() > end:
            return left
        time.sleep(every)


def told(load: Load, minutes: float) -> dict[str, Any]:
    waits = {
        f"seconds to {name}": f"p50 {statistics.median(w):.2f}, p95 {statistics.quantiles(w, n=20)[-1]:.2f}"
        for name, w in load.waits.items()
        if len(w) > 1 and name != "follow"
    }
    return {
        "minutes": minutes,
        **{f"done: {name}": count for name, count in sorted(load.counts.items())},
        "failed requests": ", ".join(f"{name}: {n}" for name, n in load.failures.items()) or "none",
        **waits,
    }


def states(datasource: Any) -> dict[str, Any]:
    from collections import Counter

    from procrastinate.contrib.django.models import ProcrastinateJob

    from chat.models import Turn

    documents = Counter(datasource.documents.values_list("status", flat=True))
    turns = Counter(Turn.objects.values_list("status", flat=True))
    return {
        "documents": ", ".join(f"{count} {status}" for status, count in documents.items()),
        "answers": ", ".join(f"{count} {status}" for status, count in turns.items()),
        "failed jobs": ProcrastinateJob.objects.filter(status="failed").count(),
    }
