"""The engine as its callers see it: passages of the scope alone, with what each leg says of them."""

import io
import json
from typing import Any

import pytest

from accounts.models import User
from datasources.models import Datasource
from ingestion.upload import accept_upload
from providers.roles import embedder
from retrieval.engine import Filters, Leg, Query, Result, Scope, retrieve

pytestmark = pytest.mark.django_db(transaction=True)

PASSAGES = [
    {"title": "Orrin Vale", "text": "Orrin Vale was a lighthouse keeper. Orrin Vale was born in Saltmere."},
    {"title": "Saltmere", "text": "Saltmere is a harbour town. Its mayor is Petra Lindqvist."},
    {"title": "Tarragon", "text": "Tarragon is a herb with a taste of anise. Order 7-ZX41 asked for it."},
]


@pytest.fixture
def harbour(contracts: Datasource, alice: User, work: Any) -> Datasource:
    lines = "\n".join(json.dumps(row) for row in PASSAGES)
    accept_upload(contracts, alice, "harbour.jsonl", io.BytesIO(lines.encode()))
    work()
    return contracts


def ask(datasource: Datasource, text: str, **more: Any) -> Result:
    scope = Scope(user_id=datasource.owner_id, datasource_id=datasource.pk)
    return retrieve(Query(text=text, **more), scope, embedder(datasource))


def test_each_passage_says_what_every_leg_thinks_of_it(harbour: Datasource) -> None:
    result = ask(harbour, "Who kept the lighthouse?")
    best = result.evidence[0]
    assert best.document_title == "Orrin Vale"
    assert best.legs[Leg.DENSE].rank == 1
    assert all(0 <= passage.score <= 1 for passage in result.evidence)
    assert {"filter", "embed", "dense", "bm25", "passages"} <= set(result.milliseconds)


def test_a_filter_on_documents_leaves_the_others_out(harbour: Datasource) -> None:
    only = frozenset([harbour.documents.get(title="Tarragon").pk])
    result = ask(harbour, "Who kept the lighthouse?", filters=Filters(document_ids=only))
    assert {passage.document_title for passage in result.evidence} == {"Tarragon"}
