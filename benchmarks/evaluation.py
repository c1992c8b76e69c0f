"""The evaluation's own figures: sets that rules make of the samples and of quarterly reports, keyless.

Needs the embedded Postgres; works in a scratch database of its own, which it drops at the end.
"""

import asyncio
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import keyless

REPORTS = Path("docugami_10q/sec-10-q/data/v1/docs")
MOST_REPORTS = 6  # each takes some minutes to read and to ask about
OF_EACH_KIND = 40
METRICS = (
    "relevance", "utilisation", "completeness", "adherence", "refused", "relevance_at_5", "hit_at_5",
    "recall_at_5", "mrr", "ndcg_at_10", "pages", "quote_found", "gold_page_cited",
)  # fmt: skip


def run() -> dict[str, Any]:
    """Means with the bounds of 95 in 100 samples, by kind of question."""
    keyless._set_up()
    from django.conf import settings
    from django.test.utils import override_settings, setup_databases, teardown_databases

    databases = setup_databases(verbosity=0, interactive=False)
    try:
        with tempfile.TemporaryDirectory() as folder:
            backend = "django.core.files.storage.FileSystemStorage"
            stored = {**settings.STORAGES, "documents": {"BACKEND": backend, "OPTIONS": {"location": folder}}}
            with override_settings(STORAGES=stored, CACHE_DIR=Path(folder) / "cache"):
                figures = {"samples": measure("Samples", sorted(keyless.SAMPLES.glob("*.pdf")))}
                data = os.environ.get("SVQ_BENCH_DATA")
                reports = sorted((Path(data) / REPORTS).glob("*.pdf"))[:MOST_REPORTS] if data else []
                return figures | ({"filings": measure("Filings", reports)} if reports else {})
    finally:
        keyless._end_other_sessions()
        teardown_databases(databases, verbosity=0)


def measure(name: str, paths: Sequence[Path]) -> dict[str, Any]:
    """Read the files, make a set by rules, ask it without a language model."""
    from evaluation.generation.making import make
    from evaluation.models import Kind
    from evaluation.questions.services import create_set, set_order
    from evaluation.reports.summary import EVERY, summary_of
    from evaluation.reports.words import told
    from evaluation.runs.run import carry_on
    from evaluation.runs.services import start_runs

    user, datasource = keyless.read(name, paths)
    made = create_set(datasource, "Made", user)
    set_order(made, dict.fromkeys(Kind.values, OF_EACH_KIND), by_model=False)
    make(made.pk)
    started = start_runs(user, made, ["keyless"], queued=False)[0]
    asyncio.run(carry_on(started.pk))
    summary = summary_of(started)
    kinds = (EVERY, *Kind.values)
    return {
        "documents": len(paths),
        "questions": summary.asked,
        **{
            kind: {metric: told(value) for metric in METRICS if (value := summary.mean(metric, kind))}
            for kind in kinds
        },
        "seconds of a question, median": summary.seconds,
    }
