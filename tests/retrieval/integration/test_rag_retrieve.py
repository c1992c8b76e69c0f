"""`rag/retrieve` as a program uses it: passages, where they stand, and clear words when there are none."""

from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from retrieval.engine import candidates
from tests.factories import SAMPLE, add_passages, make_document
from tests.openai_server import ScriptedOpenAI, text_reply
from tests.rest import ERROR, Api

pytestmark = pytest.mark.django_db(transaction=True)

REFUSED = ERROR | {"success"}
PASSAGES = [
    {"title": "Keeper", "text": "Orrin Vale kept the lighthouse of Saltmere for forty years."},
    {"title": "Town", "text": "Saltmere is a harbour town. Its mayor is Petra Lindqvist."},
    {"title": "Herb", "text": "Tarragon is a herb with a taste of anise."},
]
OTHERS = [{"title": "Soup", "text": "The lighthouse soup is boiled with tarragon for an hour."}]


@pytest.fixture(params=["small", "large"])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once as in a small datasource, once by the statements of large ones."""
    if request.param == "large":
        monkeypatch.setattr(candidates, "SCANNED", 0)


@pytest.fixture
def town(size: None, contracts: Datasource, alice: User, charlie: User, work: Any) -> Datasource:
    """Alice's passages about a town; charlie has others, of which she knows nothing."""
    cache.clear()
    add_passages(contracts, alice, PASSAGES)
    add_passages(create_datasource(charlie, "Recipes"), charlie, OTHERS)
    work()
    return contracts


def retrieve(person: User, query: str = "Who kept the lighthouse?", **more: Any) -> Any:
    return Api(person).post("rag/retrieve", {"query": query, **more})


def titles(answer: Any) -> list[str]:
    return [row["metadata"]["title"] for row in answer.json()["results"]]


@pytest.mark.parametrize("engine", ["advanced", "naive"])
def test_the_best_passage_comes_first_with_its_place(town: Datasource, alice: User, engine: str) -> None:
    answer = retrieve(alice, engineName=engine)
    assert answer.status_code == 200
    told = answer.json()
    keeper = Document.objects.get(title="Keeper")
    best = told["results"][0]
    assert PASSAGES[0]["text"] in best["content"]
    assert 0 < best["score"] <= 1
    assert best["metadata"] | {"chunkId": 0} == {
        "documentId": keeper.pk,
        "fileName": keeper.filename,
        "chunkIndex": 0,
        "pageNumber": 1,
        "contentType": "text",
        "kind": "prose",
        "document": keeper.pk,
        "chunkId": 0,
        "title": "Keeper",
        "read_elsewhere": False,
    }
    assert told["totalResults"] == len(told["results"])
    assert told["engineUsed"] == engine
    assert told["pipeline"]["reranked"] is False
    assert told["pipeline"]["rerankStrategy"] is None
    assert told["pipeline"]["candidatesConsidered"] >= told["totalResults"]


def test_nobody_gets_passages_of_another(town: Datasource, alice: User, charlie: User) -> None:
    assert "Soup" not in titles(retrieve(alice, "lighthouse soup with tarragon", similarityTopK=25))
    assert set(titles(retrieve(charlie, "lighthouse soup with tarragon", similarityTopK=25))) == {"Soup"}


def test_as_many_come_as_were_asked_for(town: Datasource, alice: User) -> None:
    assert len(titles(retrieve(alice, engineName="naive", similarityTopK=2))) == 2
    assert len(titles(retrieve(alice, engineName="naive", similarityTopK=3))) == 3


def test_only_the_documents_that_were_named_are_searched(town: Datasource, alice: User) -> None:
    herb = Document.objects.get(title="Herb")
    for engine in ("advanced", "naive"):
        assert set(titles(retrieve(alice, docIds=[herb.pk], engineName=engine))) == {"Herb"}


def test_a_grade_leaves_out_what_is_less_like_the_query(town: Datasource, alice: User) -> None:
    every = retrieve(alice, engineName="naive").json()["results"]
    scores = [row["score"] for row in every]
    assert scores == sorted(scores, reverse=True)
    bar = (scores[0] + scores[1]) / 2
    assert titles(retrieve(alice, engineName="naive", grade=bar)) == ["Keeper"]
    none = retrieve(alice, engineName="naive", grade=1)
    assert (none.status_code, none.json()["results"], none.json()["totalResults"]) == (200, [], 0)


def test_filters_say_which_documents_are_searched(town: Datasource, alice: User) -> None:
    Document.objects.filter(title="Herb").update(
        file_properties={"sender": "Amara Okafor", "sent": "2026-03-02"}, metadata={"shelf": "3"}
    )
    whole = len(titles(retrieve(alice)))
    assert titles(retrieve(alice, filters={"written_by": "okafor", "written_since": "2026-03-01"})) == [
        "Herb"
    ]
    assert titles(retrieve(alice, filters={"written_by": "okafor", "written_until": "2026-03-01"})) == []
    assert titles(retrieve(alice, filters={"shelf": "3"})) == ["Herb"]
    assert len(titles(retrieve(alice, filters={}))) == whole
    assert titles(retrieve(alice, filters={"tags": 5, "documents": 0})) == []
    wrongs: list[Any] = [
        {"since": "yesterday"},
        {"written_by": {"a": 1}},
        {"written_by": ["Ann"]},
        {"sent_to": 5},
        {"documents": "x"},
        {"types": [f"t{n}" for n in range(201)]},
        ["a"],
        {"a": "\0"},
        "x",
    ]
    for wrong in wrongs:
        refused = Api(alice).send("POST", "rag/retrieve", {"query": "herbs", "filters": wrong})
        assert refused.status_code == 400, wrong
        assert "filters" in refused.content.decode()


def test_a_grade_in_words_is_that_of_the_documents_metadata(town: Datasource, alice: User) -> None:
    """What there is comes, however far from the query."""
    herb = Document.objects.get(title="Herb")
    kept = Api(alice).send("PATCH", f"documents/{herb.pk}", {"metadata": {"grade": "5", "tags": ["a", "b"]}})
    assert kept.json()["metadata"] == {"grade": "5", "tags": ["a", "b"]}
    for engine in ("advanced", "naive"):
        assert titles(retrieve(alice, grade="5", engineName=engine)) == ["Herb"]
        assert titles(retrieve(alice, grade="6", engineName=engine)) == []


@pytest.mark.parametrize(
    "wrong", [[], "grade", {"": "x"}, {"a": {"b": 1}}, {"a": None}, {"a": "x" * 501}, None]
)
def test_metadata_of_another_shape_is_refused(town: Datasource, alice: User, wrong: Any) -> None:
    herb = Document.objects.get(title="Herb")
    answer = Api(alice).send("PATCH", f"documents/{herb.pk}", {"metadata": wrong})
    assert (answer.status_code, set(answer.json())) == (400, ERROR)
    herb.refresh_from_db()
    assert herb.metadata == {}


def test_a_new_version_keeps_the_metadata(contracts: Datasource, alice: User) -> None:
    cache.clear()
    old = make_document(contracts)
    api = Api(alice)
    api.send("PATCH", f"documents/{old.pk}", {"metadata": {"grade": "5"}})
    file = SimpleUploadedFile("next.pdf", SAMPLE.read_bytes() + b"%new", "application/pdf")
    new = api.upload(f"documents/{old.pk}/replace", file=file)
    assert new.status_code == 201, new.json()
    assert Document.objects.get(replaces=old).metadata == {"grade": "5"}


def test_documents_of_several_datasources_are_searched_together(
    town: Datasource, alice: User, work: Any
) -> None:
    other = create_datasource(alice, "More")
    add_passages(other, alice, [{"title": "Ships", "text": "The lighthouse guided ships past the reef."}])
    work()
    assert {"Keeper", "Ships"} <= set(titles(retrieve(alice, engineName="naive")))
    assert {"Keeper", "Ships"} <= set(titles(retrieve(alice)))


def test_a_reranker_that_nobody_has_set_is_said_to_be_missing(town: Datasource, alice: User) -> None:
    answer = retrieve(alice, rerank={"enabled": True, "strategy": "bge", "topK": 1}).json()
    assert answer["totalResults"] == 1, "the passages come all the same, as many as were asked for"
    strict = {"enabled": True, "strategy": "bge", "score": 1.0}
    assert all(each["score"] == 1.0 for each in retrieve(alice, rerank=strict).json()["results"])
    assert answer["pipeline"]["reranked"] is False
    assert answer["pipeline"]["rerankFailed"]


def test_a_question_is_searched_in_other_words_too(town: Datasource, alice: User, settings: Any) -> None:
    told = retrieve(alice, expand=True).json()["pipeline"]
    assert (told["wordings"], told["expandFailed"]) == ([], "No language model is connected.")
    reply = text_reply('{"wordings": ["a herb that tastes of anise"]}', repeat=True)
    with ScriptedOpenAI([reply]) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        answer = retrieve(alice, "Who kept the light?", expand=True, similarityTopK=2)
    told = answer.json()["pipeline"]
    assert (told["wordings"], told["expandFailed"]) == (["a herb that tastes of anise"], None)
    assert set(titles(answer)) == {"Keeper", "Herb"}


def test_unknown_and_foreign_documents_are_told_alike(town: Datasource, alice: User) -> None:
    soup = Document.objects.get(title="Soup")
    foreign, unknown = retrieve(alice, docIds=[soup.pk]), retrieve(alice, docIds=[987_654])
    for answer, number in ((foreign, soup.pk), (unknown, 987_654)):
        assert answer.status_code == 404
        assert set(answer.json()) == REFUSED
        assert answer.json()["code"] == "NO_DOCUMENTS"
        assert str(number) in answer.json()["message"]
    assert retrieve(alice, docIds=[]).json()["code"] == "NO_DOCUMENTS"


@pytest.mark.parametrize(
    "status", [DocumentStatus.EMBEDDING, DocumentStatus.FAILED, DocumentStatus.CANCELLED]
)
def test_documents_that_are_not_ready_are_named(
    town: Datasource, alice: User, status: DocumentStatus
) -> None:
    other = make_document(town, "Late", status=status)
    ready = Document.objects.get(title="Keeper")
    answer = retrieve(alice, docIds=[ready.pk, other.pk])
    assert (answer.status_code, answer.json()["code"]) == (409, "PROCESSING_INCOMPLETE")
    assert str(other.pk) in answer.json()["message"]
    assert retrieve(alice).status_code == 200, "all others are searched meanwhile"


def test_deleted_documents_are_unknown(town: Datasource, alice: User) -> None:
    herb = Document.objects.get(title="Herb")
    assert Api(alice).send("DELETE", f"documents/{herb.pk}").status_code == 204
    assert retrieve(alice, docIds=[herb.pk]).status_code == 404
    assert "Herb" not in titles(retrieve(alice, "tarragon"))


def test_whoever_has_no_documents_is_told_so(db: None, bob: User) -> None:
    assert retrieve(bob).json()["code"] == "NO_DOCUMENTS"


@pytest.mark.parametrize(
    "wrong",
    [
        {"query": ""},
        {"query": "x" * 4001},
        {"engineName": "best"},
        {"similarityTopK": 0},
        {"similarityTopK": "many"},
        {"grade": 2},
        {"grade": True},
        {"grade": ""},
        {"grade": []},
        {"docIds": "all"},
        {"docIds": [0]},
        {"docIds": [1.5]},
        {"rerank": {"strategy": "mine"}},
        {"rerank": {"score": -1}},
        {"rerank": "yes"},
    ],
)
def test_what_makes_no_sense_is_refused_by_its_name(alice: User, wrong: dict[str, Any]) -> None:
    answer = retrieve(alice, **{"query": "Who?", **wrong})
    assert (answer.status_code, set(answer.json())) == (400, ERROR)
    assert next(iter(wrong)) in answer.json()["message"]
