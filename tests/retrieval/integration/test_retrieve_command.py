"""`manage.py retrieve`: one JSON line a query, and a plain sentence for what cannot be asked."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from datasources.models import Datasource
from tests.factories import add_passages
from tests.openai_server import ScriptedOpenAI, text_reply

pytestmark = pytest.mark.django_db(transaction=True)

PASSAGES = [
    {"title": "Orrin Vale", "text": "Orrin Vale was a lighthouse keeper. Orrin Vale was born in Saltmere."},
    {"title": "Saltmere", "text": "Saltmere is a harbour town. Its mayor is Petra Lindqvist."},
    {"title": "Tarragon", "text": "Tarragon is a herb with a taste of anise."},
]


@pytest.fixture
def harbour(contracts: Datasource, alice: User, work: Any) -> Datasource:
    add_passages(contracts, alice, PASSAGES, "harbour.jsonl")
    work()
    return contracts


def run(datasource: Datasource, *arguments: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("retrieve", datasource.name, *arguments, user=datasource.owner.email, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_says_where_and_why_and_how_long(harbour: Datasource) -> None:
    (line,) = run(harbour, "Who kept the lighthouse?", "--k", "2", "--graph", "on")
    best = line["results"][0]
    assert (best["title"], best["pages"], len(line["results"])) == ("Orrin Vale", [1], 2)
    assert best["legs"]["dense"]["rank"] == best["legs"]["bm25"]["rank"] == 1
    assert {"embed", "dense", "bm25", "graph", "total"} <= set(line["milliseconds"])


def test_a_file_of_queries_gives_a_line_each(harbour: Datasource, tmp_path: Path) -> None:
    file = tmp_path / "queries.jsonl"
    number = harbour.documents.get(title="Saltmere").pk
    rows = [
        {"query": "anise", "k": 1},
        {"question": "mayor", "documents": ["Saltmere"]},
        "lighthouse",
        {"query": "mayor", "documents": [number]},
        {"query": "mayor", "documents": number},
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    lines = run(harbour, "--queries", str(file))
    assert [line["query"] for line in lines] == ["anise", "mayor", "lighthouse", "mayor", "mayor"]
    assert [line["results"][0]["title"] for line in lines[:3]] == ["Tarragon", "Saltmere", "Orrin Vale"]
    for line in (lines[1], *lines[3:]):
        assert [row["title"] for row in line["results"]] == ["Saltmere"]


def test_other_wordings_of_the_model_are_searched_and_told(harbour: Datasource, settings: Any) -> None:
    with ScriptedOpenAI([text_reply('{"wordings": ["a herb that tastes of anise"]}')]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        (line,) = run(harbour, "Who kept the lighthouse?", "--expand", "--k", "2")
    assert line["wordings"] == ["a herb that tastes of anise"]
    assert {row["title"] for row in line["results"]} == {"Orrin Vale", "Tarragon"}
    assert "expand" in line["milliseconds"]
    (line,) = run(harbour, "Who kept the lighthouse?", "--expand")
    assert (line["wordings"], bool(line["expand_failed"])) == ([], True)


def test_naive_is_vectors_alone(harbour: Datasource) -> None:
    (line,) = run(harbour, "lighthouse", "--engine", "naive")
    assert {leg for row in line["results"] for leg in row["legs"]} == {"dense"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["x", "--legs", "sparse"], "no leg “sparse”"),
        (["x", "--legs", "graph", "--graph", "off"], "No leg is left"),
        (["x", "--filters", "type"], "is not a filter"),
        (["x", "--filters", "since=soon"], "is not a day"),
        (["x", "--documents", "Nobody"], "no document “Nobody”"),
        (["x", "--k", "0"], "--k: “0” is not a whole number from 1 to 200"),
        (["--queries", "/nowhere.jsonl"], "cannot be read"),
        ([], "Give either"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_sentence(
    contracts: Datasource, arguments: list[str], said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        run(contracts, *arguments)


def test_a_file_in_another_encoding_is_told_from_one_of_queries(
    contracts: Datasource, tmp_path: Path
) -> None:
    file = tmp_path / "queries.jsonl"
    file.write_bytes('{"query": "café"}'.encode("latin-1"))
    with pytest.raises(CommandError, match="is not UTF-8 text"):
        run(contracts, "--queries", str(file))
