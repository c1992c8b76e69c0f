"""What the agent's tools find, and that none looks beyond its scope."""

import io
import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from answering.tools.runner import ToolRunner
from datasources.models import Datasource
from datasources.services import create_datasource
from ingestion.adding.upload import accept_upload
from ingestion.models import Chunk
from providers.embedders import embedder
from retrieval.engine import candidates
from retrieval.evidence import Evidence
from retrieval.legs import mentions
from retrieval.query import Scope
from retrieval.slots import SCANS
from retrieval.tools.list_mentions import LIST_MENTIONS, PER_PAGE
from retrieval.tools.read_page import READ_PAGE
from retrieval.tools.registry import TOOLS
from retrieval.tools.search_chunks import SEARCH_CHUNKS
from sql import rows
from sql.time_limit import time_limit
from tests.factories import make_document

pytestmark = pytest.mark.django_db(transaction=True)

PASSAGES = [
    {"title": "Orrin Vale", "text": "Orrin Vale is a lighthouse keeper. He was born in Saltmere in 1931."},
    {"title": "Saltmere", "text": "Saltmere is a harbour town. Its mayor is Petra Lindqvist."},
    {"title": "Tarragon", "text": "Tarragon is a herb with a taste of anise."},
]
ARGUMENTS = {
    "search_chunks": {"query": "Who keeps the lighthouse?"},
    "search_literal": {"words": "lighthouse keper"},
    "list_mentions": {"words": "Orrin Vale"},
    "query_entities": {"query": "Saltmere"},
    "query_relations": {"query": "Saltmere and its mayor Petra Lindqvist"},
    "read_page": {"document": "saltmere", "page": 1},
    "query_knowledge_graph": {"question": "Who is mayor of the town where Orrin Vale was born?"},
}


@pytest.fixture(params=["small", "large"], autouse=True)
def _size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once as in a small datasource, once by the statements of large ones."""
    if request.param == "large":
        monkeypatch.setattr(candidates, "SCANNED", 0)


@pytest.fixture
def harbour(contracts: Datasource, alice: User, charlie: User, work: Any) -> Datasource:
    """The passages in alice's datasource, and the same under other titles in charlie's."""
    lines = "\n".join(json.dumps(row) for row in PASSAGES)
    accept_upload(contracts, alice, "harbour.jsonl", io.BytesIO(lines.encode()))
    other = create_datasource(charlie, "Private")
    accept_upload(other, charlie, "private.jsonl", io.BytesIO(lines.replace("Tarragon", "Chervil").encode()))
    work()
    return contracts


def use(
    name: str, datasource: Datasource, user: User, documents: frozenset[int] | None = None
) -> list[Evidence]:
    tool = next(tool for tool in TOOLS if tool.name == name)
    scope = Scope(user_id=user.pk, datasource_id=datasource.pk, document_ids=documents)
    return tool.run(scope, embedder(), tool.arguments.model_validate(ARGUMENTS[name]))


def test_every_tool_has_a_question_here() -> None:
    assert {tool.name for tool in TOOLS} == set(ARGUMENTS)
    assert all(tool.spec.description and tool.spec.parameters["properties"] for tool in TOOLS)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("search_chunks", "Orrin Vale"),
        ("search_literal", "Orrin Vale"),
        ("query_entities", "Saltmere"),
        ("query_relations", "Saltmere"),
    ],
)
def test_the_best_passage_comes_first(harbour: Datasource, alice: User, name: str, title: str) -> None:
    assert use(name, harbour, alice)[0].document_title == title


def test_the_graph_reaches_the_passage_behind_the_one_that_is_named(harbour: Datasource, alice: User) -> None:
    found = use("query_knowledge_graph", harbour, alice)
    assert {"Orrin Vale", "Saltmere"} == {one.document_title for one in found[:2]}


@pytest.mark.parametrize("name", list(ARGUMENTS))
def test_no_tool_looks_beyond_its_scope(harbour: Datasource, alice: User, name: str) -> None:
    own = set(harbour.documents.values_list("pk", flat=True))
    assert {one.document_id for one in use(name, harbour, alice)} <= own
    only = use(name, harbour, alice)[-1].document_id
    assert {one.document_id for one in use(name, harbour, alice, frozenset({only}))} == {only}


def test_a_page_is_read_in_order_and_no_other(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, "Letter", "All of the letter stands on one page.")
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)

    def read(**values: Any) -> tuple[list[str], str]:
        found, told = READ_PAGE.search(scope, embedder(), READ_PAGE.arguments(document="LETTER", **values))
        return [passage.text for passage in found], told.text

    assert read(page=1) == ([chunk.text for chunk in document.chunks.order_by("start")], "")
    assert read(page=2) == ([], "There is no text on page 2 of a document called “LETTER”.")


def test_the_graph_s_facts_come_with_their_passages(harbour: Datasource, alice: User) -> None:
    assert all(passage.facts for passage in use("query_entities", harbour, alice))
    assert "Saltmere" in use("query_relations", harbour, alice)[0].facts[0].entity


def test_mentions_are_counted_to_the_last_and_can_be_paged(contracts: Datasource, alice: User) -> None:
    for n in range(PER_PAGE + 2):
        make_document(contracts, f"Letter {n:02}", f"Letter {n} is about the Harbour\n Lights and more.")
    make_document(contracts, "Other", "About harbour lighting.")
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    pages = [
        LIST_MENTIONS.run(scope, embedder(), LIST_MENTIONS.arguments(words="harbour lights", page=page))
        for page in (1, 2, 3)
    ]
    assert [len(page) for page in pages] == [PER_PAGE, 2, 0]
    assert len({passage.chunk_id for page in pages for passage in page}) == PER_PAGE + 2
    number = PER_PAGE + 2
    told = note(scope, "harbour lights")
    assert f"at {number} places, in {number} passages of {number} documents" in told
    assert "no passage has" in note(scope, "quay lights")


def note(scope: Scope, words: str) -> str:
    return LIST_MENTIONS.search(scope, embedder(), LIST_MENTIONS.arguments(words=words))[1].text


def test_what_stands_where_passages_overlap_is_one_place(contracts: Datasource, alice: User) -> None:
    text = "The fee is due. Pay the fee to Harbour Lights, and no other fee."
    document = make_document(contracts, "Letter", text)
    Chunk.objects.filter(document=document).delete()
    for index, (start, end) in enumerate([(0, 47), (16, 64)]):
        Chunk.objects.create(
            datasource=contracts,
            document=document,
            index=index,
            text=text[start:end],
            start=start,
            end=end,
            first_page=1,
            last_page=1,
        )
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    assert "at 3 places, in 2 passages of 1 document." in note(scope, "fee")
    assert "at 1 place, in 2 passages of 1 document." in note(scope, "Harbour Lights")


def test_one_call_looks_through_the_texts_once(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Letter", "About the Harbour Lights.")
    other = make_document(contracts, "Other", "About the quay.")
    tools = ToolRunner(Scope(user_id=alice.pk, datasource_id=contracts.pk), embedder())
    with CaptureQueriesContext(connection) as queries:
        tools.run_here("list_mentions", {"words": "Harbour Lights"})
    scans = [each["sql"] for each in queries if "~*" in each["sql"]]
    assert len([sql for sql in scans if "count(*)" in sql]) == 1
    assert not [sql for sql in scans if "count(*)" not in sql and str(other.pk) in sql]


def test_a_count_that_takes_too_long_is_stopped_and_not_called_complete(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(20):
        make_document(contracts, f"Letter {n}", "Harbour lights. " * 2000)
    monkeypatch.setattr(mentions, "SECONDS", 0.002)
    tools = ToolRunner(Scope(user_id=alice.pk, datasource_id=contracts.pk), embedder())
    told = tools.run_here("list_mentions", {"words": "Harbour Lights"})
    assert "takes longer than" in told.note
    assert not told.counted
    assert not told.evidence


def test_a_count_stands_although_its_passages_take_too_long(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_document(contracts, "Letter", "About the Harbour Lights.")

    def slow(counted: mentions.Mentions, first: int, limit: int, seconds: float) -> None:
        with time_limit(seconds / 100):
            rows("SELECT pg_sleep(%s)", seconds)

    monkeypatch.setattr(mentions.Mentions, "chunks", slow)
    tools = ToolRunner(Scope(user_id=alice.pk, datasource_id=contracts.pk), embedder())
    told = tools.run_here("list_mentions", {"words": "Harbour Lights"})
    assert "1 place" in told.counted
    assert "No passages of this page are shown" in told.note


def test_who_has_to_wait_for_other_counts_is_told_so(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SCANS, "_patience", 0.05)
    tools = ToolRunner(Scope(user_id=alice.pk, datasource_id=contracts.pk), embedder())
    with SCANS.taken_by(-1), SCANS.taken_by(-2):
        told = tools.run_here("list_mentions", {"words": "Harbour Lights"})
    assert "too many counts are running" in told.note
    assert not told.counted


def test_the_agent_is_told_how_many_there_are(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Letter", "About the Harbour Lights.")
    tools = ToolRunner(Scope(user_id=alice.pk, datasource_id=contracts.pk), embedder())
    content = tools.content(tools.run_here("list_mentions", {"words": "Harbour Lights"}))
    assert "1 passage of 1 document" in json.loads(content)["note"]


def test_a_long_document_leaves_a_place_for_a_short_one(
    contracts: Datasource, alice: User, work: Any
) -> None:
    """The last places go to documents that would have none, however many passages of another are nearer."""
    report = "\n\n".join(
        f"{number}. The deposits of branch {number} are certificates of deposit, and a deposit is no loan. "
        * 6
        for number in range(60)
    )
    lease = "The Tenant has paid fifteen thousand pounds, which the Landlord holds as a deposit. " + (
        "The Landlord keeps the roof in repair. " * 12
    )
    for name, text in (("report.txt", report), ("lease.txt", lease)):
        accept_upload(contracts, alice, name, io.BytesIO(text.encode()))
    work()
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    asked = {"query": "What are certificates of deposit of a branch?"}
    few, many = (
        SEARCH_CHUNKS.run(scope, embedder(), SEARCH_CHUNKS.arguments(**asked, limit=limit))
        for limit in (8, 25)
    )
    assert {each.document_title for each in few} == {"report"}
    assert {each.document_title for each in many} == {"report", "lease"}
