"""`/metrics` as Prometheus reads it: who may, what it tells, and what it never tells."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings as configured
from django.test import Client
from django.utils import timezone
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import User
from chat.services import ask
from datasources.models import Datasource
from metrics import TOGETHER
from providers.protocols import ProviderError
from providers.spending.models import Spending
from providers.spending.watching import watched
from sql import rows
from svq_site.monitoring import figures
from svq_site.monitoring.exposition import exposition
from svq_site.monitoring.middleware import METHODS
from tests.factories import make_document

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "a token of Prometheus"
DEPLOY = configured.BASE_DIR / "deploy"
# No label but these, and none of them is a person, a document, a datasource or an address.
LABELS = {
    *("view", "method", "status", "work", "stage", "kind", "le"),
    *("queue", "model", "state", "table", "figures"),
}


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Each question is answered from the database of its test."""
    monkeypatch.setattr(figures, "FRESH_SECONDS", -1.0)
    settings.METRICS_TOKEN = TOKEN


def exposed() -> str:
    response = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    return response.content.decode()


def told() -> dict[str, Metric]:
    return {family.name: family for family in text_string_to_metric_families(exposed())}


def value(name: str, **labels: str) -> float:
    """Of those lines alone: reading all of them takes half a second."""
    lines = [line for line in exposed().splitlines() if line.startswith(name)]
    for family in text_string_to_metric_families("\n".join(lines) + "\n"):
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                return float(sample.value)
    return 0.0


def test_only_who_has_the_token_reads_the_figures(settings: Any) -> None:
    client = Client()
    for header in ({}, {"Authorization": "Bearer no"}, {"Authorization": f"Basic {TOKEN}"}):
        refused = client.get("/metrics", headers=header)
        assert (refused.status_code, refused["WWW-Authenticate"]) == (401, "Bearer")
    assert client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    settings.METRICS_TOKEN = ""
    for header in ({}, {"Authorization": "Bearer "}):
        assert client.get("/metrics", headers=header).status_code == 404


def test_the_figures_are_those_of_the_database(alice: User, contracts: Datasource, work: Any) -> None:
    make_document(contracts, "Lease of the mill")
    ask(alice, contracts, "May we leave the mill early?")
    assert value("svq_jobs_ready", queue="quotes") + value("svq_jobs_ready", queue="agent") == 1
    assert value("svq_documents", status="ready") == 1
    rows("UPDATE procrastinate_events SET at = at - interval '90 seconds'")
    waited = max(value("svq_oldest_ready_job_seconds", queue=queue) for queue in ("quotes", "agent"))
    assert 90 <= waited < 200
    before = value("svq_answer_seconds_count")
    work()
    assert value("svq_answer_seconds_count") == before + 1
    assert value("svq_stage_seconds_count", work="answering", stage="searching") >= 1
    assert value("svq_jobs_ready", queue="quotes") + value("svq_jobs_ready", queue="agent") == 0
    assert value("svq_postgres_database_bytes") > 2**20
    text = exposition().decode()
    assert not [word for word in ("mill", "alice", "Contracts", "example.") if word in text]


def test_no_label_grows_with_what_is_asked_for(contracts: Datasource) -> None:
    client = Client()
    for number in range(30):
        client.get(f"/nowhere/{number}/")
        client.get(f"/datasources/{number}/documents/")
        client.generic(f"METHOD{number}", "/healthz")
    Spending.objects.bulk_create(
        Spending(day=timezone.localdate(), model=f"model {number}", prompt_tokens=number, calls=1)
        for number in range(60)
    )
    families = told()
    samples = [sample for family in families.values() for sample in family.samples]
    assert {name for sample in samples for name in sample.labels} <= LABELS
    models = {sample.labels["model"] for sample in samples if "model" in sample.labels}
    assert len(models) == figures.MOST_MODELS + 1
    assert sum(sample.value for sample in families["svq_month_calls"].samples) == 60
    of_requests = families["svq_requests"].samples
    views = {sample.labels["view"].replace("i18n", "") for sample in of_requests}
    assert not [view for view in views if re.search(r"\d", view)]
    assert {sample.labels["method"] for sample in of_requests} <= {*METHODS, "other"}


def test_figures_that_take_too_long_are_left_out_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(name: str, **values: Any) -> list[tuple[Any, ...]]:
        return rows("SELECT 'ready', pg_sleep(30)") if name == "documents" else original(name, **values)

    original = figures.query
    monkeypatch.setattr(figures, "query", slow)
    monkeypatch.setattr(figures, "STATEMENT_SECONDS", 0.2)
    assert value("svq_figures_missing", figures="documents") == 1
    assert value("svq_figures_missing", figures="workers") == 0
    assert not told()["svq_documents"].samples


def test_calls_of_models_are_counted_by_how_they_ended() -> None:
    def call(status: str, error: BaseException | None) -> None:
        before = value("svq_model_calls_total", kind="chat", status=status)
        with suppress(ProviderError, GeneratorExit), watched("chat"):
            if error:
                raise error
        assert value("svq_model_calls_total", kind="chat", status=status) == before + 1

    call("ok", None)
    call("busy", ProviderError("No.", busy=True, transient=True))
    call("stalled", ProviderError("No.", stalled=True, transient=True))
    call("unavailable", ProviderError("No.", transient=True))
    call("refused", ProviderError("No."))
    call("stopped", GeneratorExit())


def test_the_processes_of_one_start_are_told_together(tmp_path: Path) -> None:
    counting = "import metrics; metrics.ANSWERS.labels('answered').inc(%d)"
    telling = "import metrics, sys; sys.stdout.buffer.write(metrics.counted())"
    environment = os.environ | {TOGETHER: str(tmp_path)}

    def python(code: str) -> str:
        ran = subprocess.run(
            [sys.executable, "-c", code],
            cwd=configured.BASE_DIR,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return ran.stdout

    python(counting % 2)
    python(counting % 3)
    assert 'svq_answers_total{status="answered"} 5.0' in python(telling)


def expressions() -> Iterator[str]:
    dashboard = json.loads((DEPLOY / "grafana" / "svq.json").read_text())
    for panel in dashboard["panels"]:
        yield from (target["expr"] for target in panel.get("targets", ()))
    for group in yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())["groups"]:
        yield from (rule["expr"] for rule in group["rules"])


def test_dashboard_and_alerts_name_figures_that_exist() -> None:
    exist = set()
    for line in exposition().decode().splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            exist |= {name + end for end in ("_bucket", "_sum", "_count")} if kind == "histogram" else {name}
    named = {name for each in expressions() for name in re.findall(r"\bsvq_\w+", each)}
    assert len(named) > 20
    assert named <= exist, named - exist
    queues = {
        queue
        for each in expressions()
        for found in re.findall(r'queue=~?"([^"]+)"', each)
        for queue in found.split("|")
    }
    assert queues <= set(figures.QUEUES)
