"""The first search after an upload is planned with what the upload has brought."""

import io
import json
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from datasources.models import Datasource
from ingestion.adding.upload import accept_upload

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = "The harbour opens at noon. Ingrid Solberg of Bergen keeps the lamp of the pier."


def counted(table: str) -> float:
    """Rows by the planner's statistics; -1 where it was never counted."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [table])
        return float(cursor.fetchone()[0])


def test_the_planner_knows_of_an_upload_as_soon_as_it_is_read(
    contracts: Datasource, alice: User, work: Any
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE ingestion_chunkembedding, ingestion_chunk, datasources_document")
    assert counted("ingestion_chunkembedding") <= 0
    lines = [json.dumps({"title": f"Pier {n}", "text": f"{n}. {WORDS}"}) for n in range(300)]
    accept_upload(contracts, alice, "p.jsonl", io.BytesIO("\n".join(lines).encode()))
    work()
    assert contracts.documents.ready().count() == 300
    for table in (
        "ingestion_chunkembedding",
        "ingestion_chunk",
        "datasources_document",
        "graph_entitymention",
    ):
        assert counted(table) >= 200, table
