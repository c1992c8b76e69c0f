"""manage.py ingest: several files are read at the same time, and the line of progress says so."""

import threading
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from datasources.models import Datasource, DocumentStatus
from ingestion.management.commands.ingest import being_read
from tests.openai_server import ScriptedOpenAI

pytestmark = pytest.mark.django_db(transaction=True)

SECONDS = 10  # that one file waits for the other; only a failing test waits so long


def test_a_file_is_read_beside_another(
    contracts: Datasource, alice: User, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("roof", "mooring"):
        (tmp_path / f"{name}.txt").write_text(f"The rent of the {name} is nine hundred euros a month.")
    both = threading.Barrier(2)
    met: list[bool] = []

    def meet(request: dict[str, Any]) -> None:
        if not met and "rent" in str(request["input"]):
            try:
                both.wait(SECONDS)
            except threading.BrokenBarrierError:
                met.append(False)
            else:
                met.append(True)

    with ScriptedOpenAI(dimensions=48) as server:
        monkeypatch.setattr(server, "embedding_reply", meet)
        settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = server.base_url, "served"
        call_command("ingest", contracts.name, str(tmp_path), user=alice.email, json=True)
    assert met
    assert all(met)
    assert set(contracts.documents.values_list("status", flat=True)) == {DocumentStatus.READY}


def test_the_line_of_progress_names_one_file_and_counts_the_others() -> None:
    lease = (DocumentStatus.EMBEDDING, "Lease", 64, 200)
    assert being_read([]) == "Reading"
    assert being_read([lease]) == "Lease: embedding 64 of 200"
    assert being_read([lease, lease, lease]) == "Lease: embedding 64 of 200 (and 2 more)"
